-- +goose Up

-- How much of a page new rows leave free, so that the versions which processing makes
-- of them find room beside them and no index has to be written (HOT). Addresses are
-- written once more, by stage 1. A transaction doubles in size in stage 1, which adds
-- its place, and is written three times after that; room for all of it would leave
-- half of every page empty for good.
ALTER TABLE transaction_addresses SET (fillfactor = 50);
ALTER TABLE transactions SET (fillfactor = 40);
