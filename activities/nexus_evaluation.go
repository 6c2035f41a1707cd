package activities

import (
	"context"
	"log/slog"
	"time"

	"levy/models"
	"levy/rules"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

// NexusStore reads and writes nexus records.
type NexusStore interface {
	// LoadNexus reads what the nexus of an organization depends on; unless all is asked
	// for, only the records that may have changed.
	LoadNexus(ctx context.Context, organizationID string, day calendar.Date, all bool) (models.NexusCase, error)
	// NexusSales hands the sales of a day in a place to yield, as they were made.
	NexusSales(
		ctx context.Context, organizationID string, q models.NexusSalesQuery,
		yield func(models.NexusSale) (bool, error),
	) error
	// TransactionContributes reports whether a transaction still contributes to a day.
	TransactionContributes(ctx context.Context, organizationID, transactionID string, on time.Time) (bool, error)
	// NexusDetail reads what the counters do not say about a place.
	NexusDetail(ctx context.Context, organizationID string, q models.NexusDetailQuery) (models.NexusDetail, error)
	// ConversionRates is that of Transactions.
	ConversionRates(
		ctx context.Context, pairs []models.CurrencyPair,
	) (map[models.CurrencyPair]models.ConversionRate, error)
	// SaveNexusRecords writes the records that still are as they were read.
	SaveNexusRecords(ctx context.Context, c models.NexusCase, evaluated []models.NexusEvaluated) (saved int, err error)
	// DeleteEvaluatedChanges deletes the changes that evaluations have seen.
	DeleteEvaluatedChanges(ctx context.Context, seen []models.NexusSeen) error
	// NexusObligations lists records of the organizations whose obligation is not the
	// one that the liability of their transactions was decided by.
	NexusObligations(ctx context.Context, organizationIDs []string) ([]models.ChangedObligation, error)
	// AutoRegister makes the registrations that an organization with auto_register lacks
	// where nexus is proven, and returns how many it made.
	AutoRegister(
		ctx context.Context, scope models.Scope, now time.Time,
		frequency func(country, state string) calendar.FilingFrequency,
	) (int, error)
	// OrganizationsAfter lists organizations that live, in the order of their ids.
	OrganizationsAfter(ctx context.Context, after string, limit int) ([]string, error)
	EnsureNexusRecords(ctx context.Context, after string) (created int, next string, err error)
	RecordNexusJurisdictions(ctx context.Context, all []models.NexusJurisdiction) error
}

// NexusContent hands out the tax content in force, as it is now.
type NexusContent interface {
	Refresh(ctx context.Context) error
	Current() *tax.Content
}

// Nexus holds the activities that keep nexus records.
type Nexus struct {
	store       NexusStore
	obligations ObligationStore
	recounts    RecountStore
	records     RecordStore
	repaired    func(kind string) // called for every difference that a recount repairs
	content     NexusContent
	approaching int
	log         *slog.Logger
}

// NewNexus returns the activities of the nexus workflows. approaching is the share of
// a threshold, in percent, from which on it is approached; repaired is called for
// every difference that a recount finds.
func NewNexus(store interface {
	NexusStore
	ObligationStore
	RecountStore
}, records RecordStore, content NexusContent, approaching int, repaired func(kind string), log *slog.Logger,
) *Nexus {
	return &Nexus{
		store: store, obligations: store, recounts: store, records: records, repaired: repaired, content: content,
		approaching: approaching, log: log,
	}
}

// EvaluateNexusInput says whose nexus is evaluated, for which day.
type EvaluateNexusInput struct {
	Organizations []string `json:"organizations"`
	Today         string   `json:"today"`         // 2006-01-02
	All           bool     `json:"all,omitempty"` // also where nothing changed
}

// EvaluateNexusResult says what was done. Obligations are the records whose
// obligation the liability of transactions does not follow yet.
type EvaluateNexusResult struct {
	Evaluated   int                        `json:"evaluated"`
	Changed     int                        `json:"changed"`
	Obligations []models.ChangedObligation `json:"obligations,omitempty"`
}

// EvaluateNexus evaluates the nexus of some organizations, one after the other, so that it needs the memory of one.
// Organizations that change meanwhile stay on the list.
func (n *Nexus) EvaluateNexus(ctx context.Context, in EvaluateNexusInput) (EvaluateNexusResult, error) {
	today, err := calendar.ParseDate(in.Today)
	if err != nil || len(in.Organizations) == 0 {
		return EvaluateNexusResult{}, invalidInput("no organizations, or today is not a day")
	}
	var result EvaluateNexusResult
	err = n.do(ctx, len(in.Organizations), func(ctx context.Context) (err error) {
		result, err = n.evaluateEach(ctx, in.Organizations, today, in.All)
		return err
	})
	return result, err
}

func (n *Nexus) evaluateEach(
	ctx context.Context, organizations []string, today calendar.Date, all bool,
) (result EvaluateNexusResult, err error) {
	if err := n.content.Refresh(ctx); err != nil {
		return result, err
	}
	var seen []models.NexusSeen
	for _, organizationID := range organizations {
		evaluated, changed, complete, err := n.evaluate(ctx, organizationID, today, all)
		if err != nil {
			return result, err
		}
		result.Evaluated += evaluated
		result.Changed += changed
		seen = append(seen, complete...)
	}
	if result.Obligations, err = n.store.NexusObligations(ctx, organizations); err != nil {
		return result, err
	}
	// Only once it is known what follows: until then another run must find the changes.
	return result, n.store.DeleteEvaluatedChanges(ctx, seen)
}

// do turns errors into failures. None is given up before the time of the activity is
// over.
func (n *Nexus) do(ctx context.Context, organizations int, work func(context.Context) error) error {
	ctx, cancel := ownDeadline(ctx)
	defer cancel()
	err := guarded(ctx, n.log, work)
	if err == nil {
		return nil
	}
	n.log.WarnContext(ctx, "nexus not evaluated", failureAttributes(ctx, err, "organizations", organizations)...)
	return failure(err, 0)
}

// evaluate evaluates one organization. seen is what may leave the list: nothing when
// a record was written meanwhile.
func (n *Nexus) evaluate(
	ctx context.Context, organizationID string, today calendar.Date, all bool,
) (evaluated, changed int, seen []models.NexusSeen, err error) {
	c, err := n.store.LoadNexus(ctx, organizationID, today, all)
	if err != nil {
		return 0, 0, nil, err
	}
	content := n.content.Current()
	outcomes, err := n.evaluateRecords(ctx, &c, content, today, all)
	if err != nil {
		return 0, 0, nil, err
	}
	for _, outcome := range outcomes {
		if outcome.Changed {
			changed++
		}
	}
	saved, err := n.store.SaveNexusRecords(ctx, c, outcomes)
	if err != nil {
		return 0, 0, nil, err
	}
	if saved == len(outcomes) {
		seen = []models.NexusSeen{{OrganizationID: organizationID, Changes: c.Changes}}
	}
	// Always register: an earlier attempt may have died before this line.
	scope := models.Scope{OrganizationID: organizationID}
	_, err = n.store.AutoRegister(ctx, scope, today.Time(), content.Calendar().UsualFrequency)
	return saved, changed, seen, err
}

func (n *Nexus) evaluateRecords(
	ctx context.Context, c *models.NexusCase, content *tax.Content, today calendar.Date, all bool,
) ([]models.NexusEvaluated, error) {
	terms := make([]nexus.Rule, len(c.Records))
	for i := range c.Records {
		terms[i] = content.Nexus().Terms(c.Records[i].Place(), c.Home, today)
	}
	var rates rules.Rates
	if pairs := rules.NexusRatesFor(c, terms, today); len(pairs) > 0 {
		var err error
		if rates, err = n.store.ConversionRates(ctx, pairs); err != nil {
			return nil, err
		}
	}
	outcomes := make([]models.NexusEvaluated, 0, len(c.Records))
	for i := range c.Records {
		e := &evaluation{Nexus: n, all: all, NexusEvaluation: rules.NexusEvaluation{
			Case: c, Before: c.Records[i], Content: content, Terms: terms[i], Today: today, Approaching: n.approaching,
			Rates: rates,
		}}
		outcome, err := e.run(ctx)
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, outcome)
	}
	return outcomes, nil
}

// evaluation is that of one record.
type evaluation struct {
	*Nexus
	rules.NexusEvaluation
	all bool // also what has been proven already is searched for
}

func (e *evaluation) run(ctx context.Context) (models.NexusEvaluated, error) {
	after, err := e.Assess()
	if err != nil {
		return models.NexusEvaluated{}, err
	}
	if e.Sales.Unconverted > 0 {
		e.log.WarnContext(ctx, "sales count for nexus without their amounts: there is no conversion rate",
			"nexus_id", e.Before.ID, "currency", e.Terms.Currency, "sales", e.Sales.Unconverted)
	}
	if err := e.prove(ctx, &after, &e.Assessment); err != nil {
		return models.NexusEvaluated{}, err
	}
	now := time.Now().UTC().Truncate(time.Microsecond)
	seen, version, day := e.Case.Seen(e.Before.Place(), e.Today), e.Content.Version(), e.Today.Time()
	after.Evaluated, after.EvaluatedOn, after.ContentVersion, after.LastProcessedAt = &seen, &day, &version, &now
	if err := e.detail(ctx, &after, now); err != nil {
		return models.NexusEvaluated{}, err
	}
	return e.Finish(after, now), nil
}
