-- Adds a committed write to an account's day (see day-fits.lua).
--
-- KEYS[1]  the account's writes of the last window
-- ARGV     window (µs), entries created, age (µs): how long ago the write began
--
-- The write is dated back to its beginning, so that it never counts here for longer than in the database.
local window, created, age = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call('TIME')
local time = clock[1] * 1000000 + clock[2] - age
local total = 0

local newest = redis.call('LINDEX', KEYS[1], -1)
if newest then
  local newest_time, newest_total = newest:match('(%d+):(%d+)')
  -- Times ascend, whatever the clock or the order of arrival.
  time = math.max(time, tonumber(newest_time))
  total = tonumber(newest_total)
else
  redis.call('RPUSH', KEYS[1], '0:0')
end
redis.call('RPUSH', KEYS[1], string.format('%.0f:%.0f', time, total + created))
redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
return 1
