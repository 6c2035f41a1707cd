#!/bin/bash
# Runs once, when the data volume is empty: Levy and Temporal get roles of their own and cannot read the other's
# database. levy_owner owns the tables, and only migrations log in as it; levy_app is what API and worker log in
# as: it owns nothing and makes nothing.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --username postgres --dbname postgres --set owner="$LEVY_OWNER_PASSWORD" \
  --set app="$LEVY_DATABASE_PASSWORD" --set temporal="$TEMPORAL_DATABASE_PASSWORD" <<'SQL'
CREATE ROLE levy_owner LOGIN PASSWORD :'owner';
CREATE ROLE levy_app LOGIN PASSWORD :'app';
CREATE ROLE temporal LOGIN CREATEDB PASSWORD :'temporal';
-- What connections of the API and of the worker act as: see the runbook, Deployment.
CREATE ROLE levy_owner_api NOLOGIN;
CREATE ROLE levy_owner_worker NOLOGIN;
GRANT levy_owner_api, levy_owner_worker TO levy_owner, levy_app;
CREATE DATABASE levy OWNER levy_owner;
REVOKE ALL ON DATABASE levy FROM PUBLIC;
GRANT CONNECT ON DATABASE levy TO levy_app;
SQL
