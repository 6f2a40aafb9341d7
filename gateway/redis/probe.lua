-- Checks that the server accepts writes: a read-only Redis answers PING. Counts nothing.
--
-- KEYS[1]  a key of the server
redis.call('SET', KEYS[1], '1', 'PX', 1000)
return 1
