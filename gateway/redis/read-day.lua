-- Pre-checks whether `entries` more fit an account's daily cap. The database decides.
--
-- KEYS[1]  the account's day (day-window.lua)
-- ARGV     cap, window (µs), entries, deadline (µs)
-- Returns  {entries that fit now, µs until `entries` fit: 0 when they do}
--
-- Retry times use a write's latest possible expiry, so that no client retries too early.
local cap, window, entries = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local left = entries_left(KEYS[1], cap, window)
if entries <= left then return { left, 0 } end

-- Binary search: the oldest write after whose expiry the entries fit.
local total = write_at(KEYS[1], -1).total
local low, high = 1, redis.call('LLEN', KEYS[1]) - 1
while low < high do
  local middle = math.floor((low + high) / 2)
  if total - write_at(KEYS[1], middle).total + entries <= cap then high = middle else low = middle + 1 end
end
return { left, write_at(KEYS[1], low).latest + window - now }
