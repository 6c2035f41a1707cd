#!/bin/sh
# Brings the schemas of Temporal to the release of this image. It may run any number of times, and before
# each start: what is there stays. The address and the password are in SQL_HOST, SQL_USER and so on.
set -eu
schema() {
  temporal-sql-tool --db "$1" create
  temporal-sql-tool --db "$1" setup-schema -v 0.0
  temporal-sql-tool --db "$1" update-schema -d "/etc/temporal/schema/postgresql/v12/$2/versioned"
}
schema temporal temporal
schema temporal_visibility visibility
