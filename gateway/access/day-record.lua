-- Adds a committed write to an account's day (day-window.lua).
--
-- KEYS[1]  the account's day
-- ARGV     window (µs), entries created, age (µs): the most time since the write began
--
-- The write's time in the database lies between its beginning and now.
local key, window = KEYS[1], tonumber(ARGV[1])
local created, age = tonumber(ARGV[2]), tonumber(ARGV[3])
local earliest, latest, total = now - age, now, 0

local newest = write_at(key, -1)
if newest then
  -- Times ascend even if the clock was set back or writes arrive out of order.
  earliest = math.max(earliest, newest.earliest)
  latest = math.max(latest, newest.latest)
  total = newest.total
else
  redis.call('RPUSH', key, '0:0:0')
end
redis.call('RPUSH', key, string.format('%.0f:%.0f:%.0f', earliest, total + created, latest))
redis.call('PEXPIRE', key, math.ceil(window / 1000))
