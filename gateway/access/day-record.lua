-- Adds a committed write to an account's window (see day-fits.lua).
--
-- KEYS[1]  the account's writes of the last window
-- ARGV     window (µs), entries created, age (µs): the most time since the write began
--
-- The write's time in the database lies between its beginning and now.
local window, created, age = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local earliest, latest, total = now - age, now, 0

local newest = redis.call('LINDEX', KEYS[1], -1)
if newest then
  local newest_earliest, newest_total, newest_latest = newest:match('(%d+):(%d+):(%d+)')
  -- Times ascend even if the clock was set back or writes arrive out of order.
  earliest = math.max(earliest, tonumber(newest_earliest))
  latest = math.max(latest, tonumber(newest_latest))
  total = tonumber(newest_total)
else
  redis.call('RPUSH', KEYS[1], '0:0:0')
end
redis.call('RPUSH', KEYS[1], string.format('%.0f:%.0f:%.0f', earliest, total + created, latest))
redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
return 1
