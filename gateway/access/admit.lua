-- Looks up a key's account and counts the request against the key's minute, in one round trip.
--
-- KEYS[1]  the account id cached for the key
-- KEYS[2]  the times (µs) at which requests of the key were admitted in the last window, oldest first
-- ARGV     limit, window (µs), account id to cache or '', time to live of the cached id (ms)
-- Returns  {} when the account is not cached: nothing is counted;
--          {account id, admitted 0 or 1, remaining, µs until the next request can be admitted}
--
-- Exact: at most `limit` admissions in any window, by Redis's clock. Refused requests are not recorded.
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])

local four = '%x%x%x%x'
local UUID = '^' .. four .. four .. '%-' .. four .. '%-' .. four .. '%-' .. four .. '%-' .. four .. four .. four .. '$'

local account = ARGV[3]
if account == '' then
  account = redis.call('GET', KEYS[1])
  -- Any other value was not written by this service.
  if not account or not account:match(UUID) then return {} end
else
  redis.call('SET', KEYS[1], account, 'PX', ARGV[4])
end

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local newest = redis.call('LINDEX', KEYS[2], -1)
if newest and tonumber(newest) > now then
  -- The clock was set back. The window must neither empty nor stay full until the clock has caught up: all times move
  -- back, as if no time had passed since the newest.
  local ahead = tonumber(newest) - now
  local times = redis.call('LRANGE', KEYS[2], 0, -1)
  redis.call('DEL', KEYS[2])
  for _, time in ipairs(times) do redis.call('RPUSH', KEYS[2], string.format('%.0f', time - ahead)) end
  redis.call('PEXPIRE', KEYS[2], math.ceil(window / 1000))
end

local oldest = redis.call('LINDEX', KEYS[2], 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', KEYS[2])
  oldest = redis.call('LINDEX', KEYS[2], 0)
end

local admitted = redis.call('LLEN', KEYS[2])
if admitted >= limit then
  return { account, 0, 0, oldest + window - now }
end
redis.call('RPUSH', KEYS[2], string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[2], math.ceil(window / 1000))
return { account, 1, limit - admitted - 1, 0 }
