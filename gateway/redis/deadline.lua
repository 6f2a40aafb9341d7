-- The frame of every script. After the deadline it does nothing: the gateway has given the command up and decided without Redis.
-- A Redis that hung executes such commands when it continues, even if their connection was closed in the meantime.
--
-- ARGV     last: the deadline (µs, by this server's clock)
-- Returns  {now (µs), the script's reply}; after the deadline {now}
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
if now > tonumber(ARGV[#ARGV]) then return { now } end

local function script()
-- SCRIPT
end
return { now, script() }
