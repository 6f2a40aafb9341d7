-- The review queue: an account's entries without a category, in the order in which its sources are read. It is a part of the
-- books and no list of its own: an entry is in the queue for as long as it has no category.
--
-- Whoever has very many entries makes this index beforehand, with `create index concurrently`: made here, it keeps writes
-- waiting meanwhile.
create index if not exists entry_uncategorised on ledger.entry (account_id, source_id, entry_date desc, entry_id desc)
  where category is null;
