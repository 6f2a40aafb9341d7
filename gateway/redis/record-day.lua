-- Adds committed writes to the days of accounts (day-window.lua).
--
-- KEYS     the account's day, for each write
-- ARGV     window (µs), then for each write: entries created, age (µs): the most time since the write began; deadline (µs)
--
-- A write's time in the database lies between its beginning and now.
local window = tonumber(ARGV[1])

local function element_of(earliest, total, latest)
  return string.format('%.0f:%.0f:%.0f', earliest, total, latest)
end

for write, key in ipairs(KEYS) do
  local created, age = tonumber(ARGV[2 * write]), tonumber(ARGV[2 * write + 1])
  local earliest = now - age

  local newest = newest_write(key)
  local total = newest and newest.total or 0
  if not newest then redis.call('RPUSH', key, '0:0:0') end
  -- Times ascend although writes arrive out of order: those recorded before may leave the window as early as this one.
  local index, other = -1, newest
  while other and other.earliest > earliest do
    redis.call('LSET', key, index, element_of(earliest, other.total, other.latest))
    index = index - 1
    other = write_at(key, index)
  end
  redis.call('RPUSH', key, element_of(earliest, total + created, now))
  redis.call('PEXPIRE', key, math.ceil(window / 1000) + 1)
end
return #KEYS
