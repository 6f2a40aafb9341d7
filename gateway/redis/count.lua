-- Counts a request against its key's minute. For a write, also returns how many entries fit the account's day.
--
-- KEYS[1]  the times (µs) at which requests of the key were admitted in the last window, oldest first
-- KEYS[2]  the account's day (day-window.lua), for a write only
-- ARGV     limit, window (µs), daily cap, day (µs), deadline (µs)
-- Returns  {admitted 0 or 1, remaining, µs until the next request can be admitted, for a write: entries that fit the day now}
--
-- Exact: at most `limit` admissions in any window, by Redis's clock. Refused requests are not recorded. Redis counts a key's time to live
-- from the last whole ms, so it is 1 ms longer than the window.
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])

local newest = redis.call('LINDEX', KEYS[1], -1)
if newest and tonumber(newest) > now then
  -- The clock was set back. The window must neither empty nor stay full until the clock has caught up: all times move
  -- back, as if no time had passed since the newest.
  local ahead = tonumber(newest) - now
  local times = redis.call('LRANGE', KEYS[1], 0, -1)
  redis.call('DEL', KEYS[1])
  for _, time in ipairs(times) do redis.call('RPUSH', KEYS[1], string.format('%.0f', time - ahead)) end
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000) + 1)
end

local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end

local left = KEYS[2] and entries_left(KEYS[2], tonumber(ARGV[3]), tonumber(ARGV[4]))
local admitted = redis.call('LLEN', KEYS[1])
if admitted >= limit then
  return { 0, 0, oldest + window - now, left }
end
redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000) + 1)
return { 1, limit - admitted - 1, 0, left }
