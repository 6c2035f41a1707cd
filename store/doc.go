// Package store is all of Levy's SQL on PostgreSQL: this package opens one database with
// the stores of all subjects, one package per subject, and joins several of them in views
// (Processing, Registering, Evaluation, Products, Feed) for consumers that need more than one.
//
// # Packages
//
//	pg             the database: pool, unit of work, bulk statements, mapping, migrations
//	idempotency    answers to requests with an Idempotency-Key            -> pg
//	integrity      the rules of the records, backups, saved keys          -> pg
//	audit          the audit trail: its list, its seals, their check      -> pg
//	engine         what is known of Temporal, and what waits for it       -> pg
//	work           what needs a person; the search over all records       -> pg
//	people         persons, their roles, sessions and second factors      -> pg, idempotency
//	events         what happened to records, and what readers may see     -> pg
//	webhooks       where events are sent, and their deliveries            -> pg, events
//	feed           events with the records that they are about            -> all subjects
//	catalog        products, customers, exemptions and documents          -> pg
//	content        tax content, boundaries, reference rates               -> pg; nexus by interface
//	nexus          counters of sales, nexus records, presences            -> pg, content
//	registrations  registrations with tax authorities                     -> pg, catalog, nexus
//	filings        returns with their lines, reports and amendments       -> pg, nexus; registrations by interface
//	transactions   intake, stages, outbox, lists, credit notes            -> pg, content, nexus, filings
//	imports        files while they are taken in                          -> pg, transactions
//	organizations  organizations, keys, settings, onboarding, erasure     -> pg, content, idempotency, imports,
//	               nexus, registrations, webhooks
//	migrations     the schema; storetest: databases and records for tests
//
// The arrows are rules of the linter (.golangci.yml). All packages know the records
// (models) and the decisions made under their locks (rules), none knows HTTP or Temporal.
//
// # GORM and fixed SQL
//
// Records that are read and written one by one go through GORM: organizations with their
// details, keys and onboarding, products, customers, exemptions, registrations, imports,
// presences and nexus records as they are listed. Fixed SQL, often for any number of rows
// in one statement (pg.InsertFrom, pg.Prepare), is used where a statement is
// more than a record: intake, stages, outbox and leases, credit notes, claims and sums of
// returns, reports, counts of lists, evaluation and recount of nexus, chunks of imports,
// loads of tax content, answers of idempotent requests.
//
// Neither repeats the columns of a record. pg.MappingOf derives them once from GORM's
// schema of the struct: what an insert writes, what a change may write, what is read and
// where to, each with the cast of its type. A test compares every record with the schema
// of the database, types and NULL included. So for the store a new field is a migration and
// a field of the struct; docs/data-model.md has what it is beside that. Columns that are
// computed where they are read (sums, states of stages) and the input of a stage are listed
// by the statement that has them.
//
// # One unit of work
//
// pg.DB.InTx is the one way to a database transaction: it travels in the context, and all
// that is done with that context happens in it, through GORM and pgx alike, reads
// included; inside another one it is a savepoint. So an idempotent request commits its
// effect and its answer together, whatever methods it calls. pg.DB.Pipeline is the same
// for statements of known text: opening, statements and commit are sent in one or a few
// round trips. pg.DB.Snapshot and InSnapshot read as of one moment. Errors come back as
// those of package models; a commit whose answer was lost is models.ErrOutcomeUnknown.
//
// Statements for many rows name their arguments (pg.Prepare): {line} stands for rows whose
// columns are declared once, @attempt for a single argument. Numbers are for statements with
// a handful of arguments.
//
// Locks are taken in one order: advisory locks in that of pg.Lock, then rows in that of their
// keys. Every store that storetest opens notes an advisory lock that is waited for out of order.
//
// Guards are constraints, locks and conditions in WHERE clauses, never a read followed by
// a write. Those that a test removes one by one are marked "guard:".
//
// # Whose records
//
// Every method that serves a client takes a models.Scope and has its organization in
// every condition. The others have no client: they work on references to records of many
// organizations that carry the organization with them (intake, stages, imports,
// evaluations of nexus); lease what is due for workers (Lease...), or maintain what is
// derived (counts, expiry, timers, answers), across all organizations; store what belongs
// to none (tax content, rates, boundaries, operator keys, jurisdictions of nexus); or find
// out who the client is (FindPrincipal). People belong to the installation; the methods on them
// take an organization where they are about a role in it.
package store
