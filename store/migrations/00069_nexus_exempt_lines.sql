-- +goose Up
-- The lines that are exempt sales for nexus, as stage 3 decided: contributions are counted anew, and refunds are
-- counted back, by what was decided and not by what the law or a product says today. NULL before stage 3, and for
-- what was processed before this was kept.
ALTER TABLE transactions ADD COLUMN nexus_exempt_lines integer[];
