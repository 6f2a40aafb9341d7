-- Pre-checks whether `entries` more fit an account's daily cap. The database decides.
--
-- KEYS[1]  the account's writes of the last window, oldest first, each 'earliest:total:latest': the bounds (µs) of the
--          write's time in the database, and the entries created up to and including it. The first element has left
--          the window; the window's count starts at its total.
-- ARGV     cap, window (µs), entries
-- Returns  {entries that fit now, µs until `entries` fit: 0 when they do}
--
-- A write counts until its earliest possible expiry, so no request that might fit is refused. Retry times use its latest possible
-- expiry, so no client retries too early.
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
-- The clock was set back: the window is not known.
if newest.earliest > now then return { cap, 0 } end
local total = newest.total
local used = total - write_at(0).total
if used + entries <= cap then return { cap - used, 0 } end

-- Binary search: the oldest write after whose expiry the entries fit.
local low, high = 1, redis.call('LLEN', KEYS[1]) - 1
while low < high do
  local middle = math.floor((low + high) / 2)
  if total - write_at(middle).total + entries <= cap then high = middle else low = middle + 1 end
end
return { math.max(cap - used, 0), write_at(low).latest + window - now }
