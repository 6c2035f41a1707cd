-- Domains, extensions, and the transitions of every status.

-- Identifiers compare byte by byte. Amounts and rates refuse NaN, which would pass every
-- other check and make every sum that includes it NaN.
CREATE DOMAIN ident    AS text COLLATE "C";
CREATE DOMAIN amount   AS numeric(12,2) CHECK (VALUE <> 'NaN');
CREATE DOMAIN tax_rate AS numeric(12,9) CHECK (VALUE <> 'NaN');
CREATE DOMAIN quantity AS numeric(21,9) CHECK (VALUE <> 'NaN');

-- Personal data is stored encrypted and nowhere else: a value that does not begin with the
-- version byte, or is too short to contain a nonce and an authentication tag, is refused.
CREATE DOMAIN sealed AS bytea CHECK (octet_length(VALUE) >= 30 AND get_byte(VALUE, 0) = 1);

-- The exclusion of overlapping filing periods compares texts and ranges in one index.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- Trigrams find parts of texts. Without the extension a search reads every row.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN feature_not_supported OR undefined_file OR insufficient_privilege THEN
  RAISE NOTICE 'this server has no pg_trgm: searches will be slow';
END $$;

-- The permitted transitions of every status, as package models lists them; a test compares
-- the two. PostgreSQL hashes a constant array once per statement, so a check costs next to
-- nothing.
CREATE FUNCTION may_move(machine text, from_state text, to_state text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT machine || ':' || from_state || '>' || to_state = ANY (ARRAY[
    'transaction_status:PENDING>COMMITTED', 'transaction_status:PENDING>CANCELLED', 'transaction_status:PENDING>INVALID',
    'transaction_status:PENDING>ARCHIVED', 'transaction_status:COMMITTED>CANCELLED', 'transaction_status:COMMITTED>INVALID',
    'transaction_status:COMMITTED>ARCHIVED', 'transaction_status:FULLY_REFUNDED>COMMITTED', 'transaction_status:FULLY_REFUNDED>CANCELLED',
    'transaction_status:FULLY_REFUNDED>ARCHIVED', 'transaction_status:PARTIALLY_REFUNDED>COMMITTED',
    'transaction_status:PARTIALLY_REFUNDED>CANCELLED', 'transaction_status:PARTIALLY_REFUNDED>ARCHIVED',
    'transaction_status:CANCELLED>COMMITTED', 'transaction_status:CANCELLED>ARCHIVED', 'transaction_status:INVALID>COMMITTED',
    'transaction_status:INVALID>ARCHIVED',

    'credit_note_status:PENDING>COMMITTED', 'credit_note_status:PENDING>CANCELLED', 'credit_note_status:PENDING>ARCHIVED',
    'credit_note_status:COMMITTED>CANCELLED', 'credit_note_status:CANCELLED>ARCHIVED',

    'refund_status:NONE>PARTIALLY_REFUNDED', 'refund_status:NONE>FULLY_REFUNDED', 'refund_status:PARTIALLY_REFUNDED>FULLY_REFUNDED',
    'refund_status:PARTIALLY_REFUNDED>NONE', 'refund_status:FULLY_REFUNDED>PARTIALLY_REFUNDED', 'refund_status:FULLY_REFUNDED>NONE',

    'processing_status:NEW>QUEUED', 'processing_status:NEW>UPDATED', 'processing_status:NEW>ARCHIVED', 'processing_status:UPDATED>QUEUED',
    'processing_status:UPDATED>ARCHIVED', 'processing_status:QUEUED>PENDING', 'processing_status:QUEUED>EXCLUDED_IN_CALCULATION',
    'processing_status:QUEUED>ARCHIVED', 'processing_status:QUEUED>ADDRESS_DONE', 'processing_status:QUEUED>NEEDS_REFETCH',
    'processing_status:QUEUED>UPDATED', 'processing_status:ADDRESS_DONE>EXEMPT_DONE', 'processing_status:ADDRESS_DONE>UPDATED',
    'processing_status:ADDRESS_DONE>ARCHIVED', 'processing_status:EXEMPT_DONE>NEXUS_DONE', 'processing_status:EXEMPT_DONE>UPDATED',
    'processing_status:EXEMPT_DONE>ARCHIVED', 'processing_status:NEXUS_DONE>PROCESSED', 'processing_status:NEXUS_DONE>NEEDS_REFETCH',
    'processing_status:NEXUS_DONE>UPDATED', 'processing_status:NEXUS_DONE>ARCHIVED', 'processing_status:NEEDS_REFETCH>QUEUED',
    'processing_status:NEEDS_REFETCH>UPDATED', 'processing_status:NEEDS_REFETCH>ARCHIVED', 'processing_status:PROCESSED>QUEUED',
    'processing_status:PROCESSED>FILING_STARTED', 'processing_status:PROCESSED>FILING_DONE', 'processing_status:PROCESSED>UPDATED',
    'processing_status:PROCESSED>ARCHIVED', 'processing_status:FILING_STARTED>FILING_DONE', 'processing_status:FILING_STARTED>PROCESSED',
    'processing_status:FILING_DONE>LOCKED', 'processing_status:PENDING>UPDATED', 'processing_status:PENDING>ARCHIVED',
    'processing_status:EXCLUDED_IN_CALCULATION>UPDATED', 'processing_status:EXCLUDED_IN_CALCULATION>ARCHIVED',

    'filing_status:UNFILED>FILING', 'filing_status:UNFILED>PAUSED', 'filing_status:UNFILED>SKIPPED', 'filing_status:UNFILED>CANCELLED',
    'filing_status:PAUSED>UNFILED', 'filing_status:PAUSED>SKIPPED', 'filing_status:PAUSED>CANCELLED', 'filing_status:ISSUE>SKIPPED',
    'filing_status:ISSUE>CANCELLED', 'filing_status:ISSUE>FILING', 'filing_status:ISSUE>UNFILED', 'filing_status:FILING>FILED',
    'filing_status:FILING>ISSUE',

    'nexus_status:NOT_EXPOSED>APPROACHING', 'nexus_status:NOT_EXPOSED>EXPOSED', 'nexus_status:NOT_EXPOSED>PENDING_REGISTRATION',
    'nexus_status:NOT_EXPOSED>REGISTERED', 'nexus_status:APPROACHING>NOT_EXPOSED', 'nexus_status:APPROACHING>EXPOSED',
    'nexus_status:APPROACHING>PENDING_REGISTRATION', 'nexus_status:APPROACHING>REGISTERED', 'nexus_status:EXPOSED>APPROACHING',
    'nexus_status:EXPOSED>NOT_EXPOSED', 'nexus_status:EXPOSED>PENDING_REGISTRATION', 'nexus_status:EXPOSED>REGISTERED',
    'nexus_status:PENDING_REGISTRATION>REGISTERED', 'nexus_status:PENDING_REGISTRATION>NOT_EXPOSED',
    'nexus_status:PENDING_REGISTRATION>APPROACHING', 'nexus_status:PENDING_REGISTRATION>EXPOSED', 'nexus_status:REGISTERED>NOT_EXPOSED',
    'nexus_status:REGISTERED>APPROACHING', 'nexus_status:REGISTERED>EXPOSED',

    'nexus_processing_status:NOT_READY>UP_TO_DATE', 'nexus_processing_status:NEEDS_RERUN>UP_TO_DATE',
    'nexus_processing_status:UP_TO_DATE>NEEDS_RERUN',

    'registration_status:UNREGISTERED>PROCESSING', 'registration_status:UNREGISTERED>CANCELLED',
    'registration_status:PROCESSING>VALIDATING', 'registration_status:PROCESSING>REGISTERED',
    'registration_status:PROCESSING>AWAITING_CLARIFICATION', 'registration_status:PROCESSING>CANCELLED',
    'registration_status:VALIDATING>REGISTERED', 'registration_status:VALIDATING>AWAITING_CLARIFICATION',
    'registration_status:VALIDATING>CANCELLED', 'registration_status:AWAITING_CLARIFICATION>PROCESSING',
    'registration_status:AWAITING_CLARIFICATION>REGISTERED', 'registration_status:AWAITING_CLARIFICATION>CANCELLED',
    'registration_status:REGISTERED>DEREGISTERING', 'registration_status:DEREGISTERING>DEREGISTERED',

    'onboarding_status:NOT_STARTED>IN_PROGRESS', 'onboarding_status:IN_PROGRESS>COMPLETED', 'onboarding_status:IN_PROGRESS>CANCELLED',
    'onboarding_status:IN_PROGRESS>EXPIRED', 'onboarding_status:IN_PROGRESS>FAILED',

    'exemption_status:ACTIVE>INACTIVE', 'exemption_status:ACTIVE>DEACTIVATED', 'exemption_status:ACTIVE>EXPIRED',
    'exemption_status:ACTIVE>ARCHIVED', 'exemption_status:INACTIVE>ACTIVE', 'exemption_status:INACTIVE>DEACTIVATED',
    'exemption_status:INACTIVE>ARCHIVED', 'exemption_status:DEACTIVATED>ACTIVE', 'exemption_status:DEACTIVATED>ARCHIVED',
    'exemption_status:EXPIRED>ACTIVE', 'exemption_status:EXPIRED>ARCHIVED',

    'api_key_status:ACTIVE>REVOKED', 'api_key_status:ACTIVE>EXPIRED',

    'organization_status:ACTIVE>ARCHIVED',

    'customer_status:ACTIVE>ARCHIVED', 'customer_status:ARCHIVED>ACTIVE',

    'product_status:APPROVED>PARTIALLY_APPROVED', 'product_status:APPROVED>PENDING', 'product_status:APPROVED>ARCHIVED',
    'product_status:PARTIALLY_APPROVED>APPROVED', 'product_status:PARTIALLY_APPROVED>PENDING',
    'product_status:PARTIALLY_APPROVED>ARCHIVED', 'product_status:PENDING>APPROVED', 'product_status:PENDING>PARTIALLY_APPROVED',
    'product_status:PENDING>ARCHIVED', 'product_status:ARCHIVED>APPROVED', 'product_status:ARCHIVED>PARTIALLY_APPROVED',
    'product_status:ARCHIVED>PENDING'
  ])
$$;

-- Refuses a transition that does not exist; the error names the trigger as its constraint.
--
-- The triggers on a status are AFTER triggers: such a trigger does not lock the row a second time,
-- and nothing is queued for it while its WHEN condition is false.
CREATE FUNCTION refuse_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'this move of the status does not exist' USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
END $$;
