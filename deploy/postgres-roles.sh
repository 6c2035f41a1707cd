#!/bin/bash
# Runs once, when the data volume is empty: Levy and Temporal get a role each and
# cannot read the other's database.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --username postgres --dbname postgres \
  --set levy="$LEVY_DATABASE_PASSWORD" --set temporal="$TEMPORAL_DATABASE_PASSWORD" <<'SQL'
CREATE ROLE levy LOGIN PASSWORD :'levy';
CREATE ROLE temporal LOGIN CREATEDB PASSWORD :'temporal';
-- What the processes of Levy act as: see the runbook, Deployment.
CREATE ROLE levy_api NOLOGIN;
CREATE ROLE levy_worker NOLOGIN;
GRANT levy_api, levy_worker TO levy;
CREATE DATABASE levy OWNER levy;
REVOKE CONNECT ON DATABASE levy FROM PUBLIC;
SQL
