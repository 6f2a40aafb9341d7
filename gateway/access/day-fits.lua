-- Whether an account's day has room for `entries` more, as far as Redis knows: the database is the judge.
--
-- KEYS[1]  the account's writes of the last window, 'earliest:total:latest' each, oldest first: between which times
--          (µs) the database dated the write, and how many entries had been created up to and including it. The
--          first element has left the window; its total is where the window's count begins.
-- ARGV     cap, window (µs), entries
-- Returns  {entries that fit now, µs until `entries` fit: 0 when they do}
--
-- A write is counted from its earliest time on: nothing is refused that may fit. A client waits for its latest time: it
-- is not told to come back too early.
local cap, window, entries = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local function write_at(index)
  local element = redis.call('LINDEX', KEYS[1], index)
  if not element then return nil end
  local earliest, total, latest = element:match('(%d+):(%d+):(%d+)')
  return { earliest = tonumber(earliest), total = tonumber(total), latest = tonumber(latest) }
end

local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local second = write_at(1)
while second and second.earliest <= now - window do
  redis.call('LPOP', KEYS[1])
  second = write_at(1)
end
if not second then return { cap, 0 } end

local newest = write_at(-1)
-- The clock was set back: nothing is certain.
if newest.earliest > now then return { cap, 0 } end
local total = newest.total
local used = total - write_at(0).total
if used + entries <= cap then return { cap - used, 0 } end

-- The oldest write after whose leaving the entries fit.
local low, high = 1, redis.call('LLEN', KEYS[1]) - 1
while low < high do
  local middle = math.floor((low + high) / 2)
  if total - write_at(middle).total + entries <= cap then high = middle else low = middle + 1 end
end
return { math.max(cap - used, 0), write_at(low).latest + window - now }
