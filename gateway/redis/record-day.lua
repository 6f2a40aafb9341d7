-- Adds committed writes to the days of accounts (day-window.lua).
--
-- KEYS     the account's day, for each write
-- ARGV     window (µs), then for each write: entries created, age (µs): the most time since the write began; deadline (µs)
--
-- A write's time in the database lies between its beginning and now.
local window = tonumber(ARGV[1])

for write, key in ipairs(KEYS) do
  local created, age = tonumber(ARGV[2 * write]), tonumber(ARGV[2 * write + 1])
  local earliest, total = now - age, 0

  local newest = newest_write(key)
  if newest then
    -- Times ascend even if writes arrive out of order.
    earliest = math.max(earliest, newest.earliest)
    total = newest.total
  else
    redis.call('RPUSH', key, '0:0:0')
  end
  redis.call('RPUSH', key, string.format('%.0f:%.0f:%.0f', earliest, total + created, now))
  redis.call('PEXPIRE', key, math.ceil(window / 1000) + 1)
end
return #KEYS
