// Package feed returns the events of all kinds of records with the records as they were.
package feed

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"levy/models"
	"levy/store/catalog"
	"levy/store/events"
	"levy/store/filings"
	"levy/store/nexus"
	"levy/store/notices"
	"levy/store/organizations"
	"levy/store/pg"
	"levy/store/registrations"
	"levy/store/transactions"
)

type eventStore = events.Store

// Store has the events and the stores of their records.
type Store struct {
	*eventStore
	Subjects
	db *pg.DB
}

// Subjects are the stores of the records that events are about.
type Subjects struct {
	Organizations *organizations.Store
	Catalog       *catalog.Store
	Transactions  *transactions.Store
	Nexus         *nexus.Store
	Notices       *notices.Store
	Registrations *registrations.Store
	Filings       *filings.Store
}

// New returns the store on a database with the events and the stores of its records.
func New(db *pg.DB, e *events.Store, subjects Subjects) *Store { return &Store{e, subjects, db} }

// documents are the stored documents of the events of one kind and organization, each with its previous state.
type documents struct {
	records   []models.EventRecord // the records of all events
	at        []int                // the indexes of these events in records
	now       []json.RawMessage
	before    []json.RawMessage // as many as now; the same as now if there is no previous state
	hasBefore []bool
}

// EventRecords returns the records of events as they were, with a few statements for each organization and kind.
// Values of other records, such as the name of a customer, are current.
func (s *Store) EventRecords(ctx context.Context, all []models.Event) ([]models.EventRecord, error) {
	records := make([]models.EventRecord, len(all))
	groups := map[[2]string]*documents{}
	for i, e := range all {
		records[i].Event = e
		kind, _, _ := strings.Cut(e.Type, ".")
		if kind == "credit_note" {
			kind = "transaction"
		}
		key := [2]string{e.OrganizationID, kind}
		if groups[key] == nil {
			groups[key] = &documents{records: records}
		}
		if err := groups[key].add(i, e); err != nil {
			return nil, err
		}
	}
	keys := slices.SortedFunc(maps.Keys(groups), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	for _, key := range keys {
		scope, group := models.Scope{OrganizationID: key[0]}, groups[key]
		if err := s.read(ctx, scope, key[1], group); err != nil {
			return nil, pg.Translate(err)
		}
	}
	return records, nil
}

func (k *documents) add(i int, e models.Event) error {
	before := e.Record
	if len(e.Previous) > 0 {
		merged, previous := map[string]json.RawMessage{}, map[string]json.RawMessage{}
		if err := json.Unmarshal(e.Record, &merged); err != nil {
			return err
		}
		if err := json.Unmarshal(e.Previous, &previous); err != nil {
			return err
		}
		maps.Copy(merged, previous)
		var err error
		if before, err = json.Marshal(merged); err != nil {
			return err
		}
	}
	k.at, k.now, k.before = append(k.at, i), append(k.now, e.Record), append(k.before, before)
	k.hasBefore = append(k.hasBefore, len(e.Previous) > 0)
	return nil
}

// docs returns both documents of every event, one after the other.
func (k *documents) docs() []json.RawMessage {
	docs := make([]json.RawMessage, 0, 2*len(k.now))
	for i := range k.now {
		docs = append(docs, k.now[i], k.before[i])
	}
	return docs
}

// assign sets the records of the events to the decoded docs.
func assign[T any](k *documents, found []T) {
	for i, at := range k.at {
		k.records[at].Now = &found[2*i]
		if k.hasBefore[i] {
			k.records[at].Before = &found[2*i+1]
		}
	}
}

func (s *Store) read(ctx context.Context, scope models.Scope, kind string, k *documents) error {
	switch kind {
	case "organization":
		return readInto(ctx, s, k, "organizations", func(found []models.Organization) error {
			return settingsOf(ctx, s, k, found)
		})
	case "onboarding":
		return readInto(ctx, s, k, "onboardings", func(found []models.Onboarding) error {
			return partsOfOnboardings(ctx, s, k, found)
		})
	case "api_key":
		return readInto(ctx, s, k, "api_keys", complete[models.APIKey])
	case "product":
		return readInto(ctx, s, k, "products", complete[models.Product])
	case "customer":
		return readInto(ctx, s, k, "customers", func(found []models.Customer) error {
			for i := range found {
				if err := s.db.OpenTaxIDs(ctx, scope.OrganizationID, &found[i]); err != nil {
					return err
				}
			}
			return nil
		})
	case "physical_nexus":
		return readInto(ctx, s, k, "physical_nexus", complete[models.PhysicalNexus])
	case "exemption":
		return readInto(ctx, s, k, "exemptions", func(found []models.ExemptionRecord) error {
			return s.Catalog.CompleteExemptions(ctx, scope, found)
		})
	case "registration":
		return readInto(ctx, s, k, "registrations", func(found []models.Registration) error {
			return s.Registrations.CompleteRegistrations(ctx, scope, found)
		})
	case "notice":
		return readInto(ctx, s, k, "notices", func(found []models.Notice) error {
			return s.Notices.CompleteNotices(ctx, scope, found)
		})
	case "nexus":
		return readInto(ctx, s, k, "nexus_records", func(found []models.NexusRecord) error {
			return s.Nexus.CompleteNexus(ctx, scope, found)
		})
	case "filing":
		return readInto(ctx, s, k, "filings", func(found []models.Filing) error {
			return s.Filings.CompleteFilings(ctx, scope, found)
		})
	case "transaction":
		return s.readTransactions(ctx, scope, k)
	}
	return nil // the event has its object
}

func complete[T any]([]T) error { return nil }

// readInto decodes the documents as rows of a table, completes them and assigns them to the events.
func readInto[T any](
	ctx context.Context, s *Store, k *documents, table string, complete func([]T) error,
) error {
	found, err := decode[T](ctx, s, table, k.docs())
	if err == nil {
		err = complete(found)
	}
	if err == nil {
		assign(k, found)
	}
	return err
}

// decode returns documents as rows of a table, in their order.
func decode[T any](ctx context.Context, s *Store, table string, docs []json.RawMessage) ([]T, error) {
	all, err := json.Marshal(docs)
	if err != nil {
		return nil, err
	}
	var found []T
	err = s.db.GORM(ctx).Raw(`
		SELECT t.* FROM jsonb_array_elements(?::jsonb) WITH ORDINALITY AS d (body, n)
		 CROSS JOIN LATERAL jsonb_populate_record(NULL::`+table+`, d.body) t ORDER BY d.n`, string(all)).Scan(&found).Error
	return found, err
}

// settingsOf sets the settings of an organization at each event. The grant is the present one.
func settingsOf(ctx context.Context, s *Store, k *documents, found []models.Organization) error {
	docs := k.docs()
	now, err := s.Organizations.Organization(ctx, models.Scope{OrganizationID: found[0].ID})
	if err != nil {
		return err
	}
	for i := range found {
		found[i].Settings, found[i].Grant = now.Settings, now.Grant
	}
	for i := range docs {
		var parts struct {
			Settings json.RawMessage `json:"settings"`
		}
		if err := json.Unmarshal(docs[i], &parts); err != nil {
			return err
		}
		docs[i] = parts.Settings
	}
	for i := range docs {
		if len(docs[i]) == 0 { // the settings did not change with the organization
			docs[i] = json.RawMessage("{}")
		}
	}
	settings, err := decode[models.OrganizationSettings](ctx, s, "organization_settings", docs)
	for i := range settings {
		if settings[i].OrganizationID != "" {
			found[i].Settings = settings[i]
		}
	}
	return err
}

func partsOfOnboardings(ctx context.Context, s *Store, k *documents, found []models.Onboarding) error {
	for i, doc := range k.docs() {
		var parts struct {
			Name       *string           `json:"name"`
			Root       bool              `json:"root"`
			Unlimited  bool              `json:"unlimited"`
			ProgressAt time.Time         `json:"progress_at"`
			Steps      []json.RawMessage `json:"steps"`
		}
		if err := json.Unmarshal(doc, &parts); err != nil {
			return err
		}
		steps, err := decode[models.OnboardingStepRecord](ctx, s, "onboarding_steps", parts.Steps)
		if err != nil {
			return err
		}
		o := &found[i]
		o.OrganizationName, o.Root, o.Unlimited = parts.Name, parts.Root, parts.Unlimited
		o.ProgressAt, o.Steps = parts.ProgressAt, steps
	}
	return nil
}

func (s *Store) readTransactions(ctx context.Context, scope models.Scope, k *documents) error {
	snapshots := make([]models.TransactionSnapshot, len(k.at))
	for i, at := range k.at {
		snapshots[i] = models.TransactionSnapshot{ID: k.records[at].ObjectID, Record: k.records[at].Record,
			Previous: k.records[at].Previous}
	}
	now, before, err := s.Transactions.TransactionsAt(ctx, scope, snapshots)
	if err != nil {
		return err
	}
	for i, at := range k.at {
		if now[i].ID == "" {
			continue
		}
		k.records[at].Now = &now[i]
		if before[i].ID != "" {
			k.records[at].Before = &before[i]
		}
	}
	return nil
}
