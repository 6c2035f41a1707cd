// Package store is all of Levy's SQL on PostgreSQL. This package opens one database with all stores,
// one package per subject. It joins several of them in views (Processing, Registering, Evaluation, Products,
// Feed) for consumers that need more than one.
//
// # Packages
//
//	pg             the database: pool, unit of work, bulk statements, mapping, migrations
//	idempotency    answers to requests with an Idempotency-Key            -> pg
//	integrity      the rules of the records, backups, saved keys          -> pg
//	audit          the audit trail: its list, its seals, their check      -> pg
//	engine         the state of Temporal, and the work that waits for it  -> pg
//	work           the worklist; the search over all records              -> pg
//	people         persons, their roles, sessions and second factors      -> pg, idempotency
//	events         changes of records, and which of them readers may see  -> pg
//	webhooks       endpoints, and their deliveries                        -> pg, events
//	feed           events with the records that they are about            -> all subjects
//	catalog        products, customers, exemptions and documents          -> pg
//	content        tax content, boundaries, reference rates               -> pg; nexus by interface
//	nexus          counters of sales, nexus records, presences            -> pg, content
//	registrations  registrations with tax authorities                     -> pg, catalog, nexus
//	filings        returns with their lines, reports and amendments       -> pg, nexus; registrations by interface
//	transactions   intake, stages, outbox, lists, credit notes            -> pg, content, nexus, filings
//	imports        files during their import                              -> pg, transactions
//	organizations  organizations, keys, settings, onboarding, erasure     -> pg, content, idempotency, imports,
//	               nexus, registrations, webhooks
//	migrations     the schema; storetest: databases and records for tests
//
// The arrows are rules of the linter (.golangci.yml). All packages know the records (models) and the decisions made
// under their locks (rules), none knows HTTP or Temporal.
//
// # GORM and fixed SQL
//
// GORM reads and writes single records: organizations with their details, keys and onboarding, products, customers,
// exemptions, registrations, imports, presences, and nexus records in lists. Fixed SQL is for statements about more
// than a record, often for any number of rows at once (pg.InsertFrom, pg.Prepare). It is used by intake, stages, outbox
// and leases, credit notes, claims and sums of returns, reports and counts of lists. Evaluation and recount of nexus,
// chunks of imports, loads of tax content and answers of idempotent requests use it, too.
//
// Neither repeats the columns of a record. pg.MappingOf derives them once from GORM's schema of the struct:
// the columns of inserts, changes and reads, each with the cast of its type. A test compares every record with the
// schema of the database, types and NULL included. So for the store a new field is a migration and a field of the
// struct; docs/data-model.md has the other steps. Statements list their computed columns (sums, states of stages) and
// the input of a stage themselves.
//
// # One unit of work
//
// pg.DB.InTx is the one way to a database transaction. The context carries it, and all calls with that context happen
// in it, through GORM and pgx alike, reads included. Inside another one it is a savepoint. So an idempotent request
// commits its effect and its answer together, whatever methods it calls. pg.DB.Pipeline is the same for statements of
// known text: begin, statements and commit are sent in one or a few round trips. pg.DB.Snapshot and InSnapshot read as
// of one moment. Errors are those of package models; a commit whose answer was lost is models.ErrOutcomeUnknown.
//
// Statements for many rows name their arguments (pg.Prepare): {line} stands for rows whose columns are declared once,
// @attempt for a single argument. Numbers are for statements with a handful of arguments.
//
// Locks are taken in one order: advisory locks in that of pg.Lock, then rows in that of their keys.
// Every store that storetest opens records advisory locks that are taken out of order.
//
// Guards are constraints, locks and conditions in WHERE clauses, never a read followed by a write.
// Those that a test removes one by one are marked "guard:".
//
// # Organizations
//
// Every method that serves a client takes a models.Scope and has its organization in every condition.
// The other methods have no client. Some work on references to records of many organizations, which carry the
// organization (intake, stages, imports, evaluations of nexus). Some lease due work for workers (Lease...),
// or maintain derived data (counts, expiry, timers, answers), across all organizations. Some store data that belongs to
// none (tax content, rates, boundaries, operator keys, jurisdictions of nexus), or find the client of a request
// (FindPrincipal). People belong to the installation; their methods take an organization if they are about a role in
// it.
package store
