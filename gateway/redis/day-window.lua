-- The account's day, for the scripts that are appended to this: the writes of the last window, oldest first, each
-- 'earliest:total:latest': the bounds (µs) of the write's time in the database, and the entries created up to and including it. The
-- first element has left the window; the window's count starts at its total. `now` is a local of gateway/redis/deadline.lua.
local function write_at(key, index)
  local element = redis.call('LINDEX', key, index)
  if not element then return nil end
  local earliest, total, latest = element:match('(%d+):(%d+):(%d+)')
  return { earliest = tonumber(earliest), total = tonumber(total), latest = tonumber(latest) }
end

-- The newest write. Nil if there is none, or if the clock was set back since: then the window is not known, and begins anew.
local function newest_write(key)
  local newest = write_at(key, -1)
  if newest and newest.latest > now then
    redis.call('DEL', key)
    return nil
  end
  return newest
end

-- The number of entries that fit the day now. A write counts until its earliest possible expiry, so that no request that might fit is
-- refused.
local function entries_left(key, cap, window)
  local newest = newest_write(key)
  if not newest then return cap end
  local second = write_at(key, 1)
  while second and second.earliest <= now - window do
    redis.call('LPOP', key)
    second = write_at(key, 1)
  end
  if not second then return cap end
  return math.max(cap - newest.total + write_at(key, 0).total, 0)
end
