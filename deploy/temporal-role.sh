#!/bin/bash
# Runs once, when the data volume is empty: Temporal gets a role of its own, which cannot read Levy's database. The
# roles of Levy are made by `levy roles`.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --username postgres --dbname postgres --set temporal="$TEMPORAL_DATABASE_PASSWORD" <<'SQL'
CREATE ROLE temporal LOGIN CREATEDB PASSWORD :'temporal';
SQL
