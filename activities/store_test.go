package activities

import (
	"context"
	"sync"

	"levy/models"
)

// fakeStore keeps transactions in memory under the rules of the real store: loads
// and saves check epoch and previous status, saves answer the state afterwards.
type fakeStore struct {
	mu          sync.Mutex
	records     map[string]*models.Transaction // by id
	transitions map[string][]models.ProcessingStatus
	runs        []models.StageRun
	failures    map[string]string // id to code
	shown       []string          // ids whose failures were shown
	showErr     error
	waiting     []models.Ref
	saveErr     error // returned after the save took effect
	loadErr     error
	rates       map[models.CurrencyPair]models.ConversionRate
	pairs       [][]models.CurrencyPair // calls that read rates
}

func newFakeStore(transactions ...models.Transaction) *fakeStore {
	s := &fakeStore{
		records: map[string]*models.Transaction{}, transitions: map[string][]models.ProcessingStatus{},
		failures: map[string]string{},
	}
	for _, t := range transactions {
		s.records[t.ID] = &t
	}
	return s
}

func (s *fakeStore) load(refs []models.Ref, from ...models.ProcessingStatus) ([]models.Transaction, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loadErr != nil {
		return nil, s.loadErr
	}
	var found []models.Transaction
	for _, ref := range refs {
		if t := s.at(ref, from...); t != nil {
			found = append(found, *t)
		}
	}
	return found, nil
}

func (s *fakeStore) at(ref models.Ref, from ...models.ProcessingStatus) *models.Transaction {
	t := s.records[ref.ID]
	if t == nil || t.Epoch != ref.Epoch || t.OrganizationID != ref.OrganizationID {
		return nil
	}
	for _, status := range from {
		if t.ProcessingStatus == status {
			return t
		}
	}
	return nil
}

func save[O any](s *fakeStore, run models.StageRun, refs []models.Ref, outcomes []O,
	key func(O) (models.Ref, models.ProcessingStatus), apply func(*models.Transaction, O), from ...models.ProcessingStatus,
) ([]models.StageState, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs = append(s.runs, run)
	for _, o := range outcomes {
		ref, to := key(o)
		if t := s.at(ref, from...); t != nil {
			apply(t, o)
			t.ProcessingStatus = to
			s.transitions[t.ID] = append(s.transitions[t.ID], to)
		}
	}
	if s.saveErr != nil {
		return nil, s.saveErr
	}
	states := make([]models.StageState, 0, len(refs))
	for _, ref := range refs {
		state := models.StageState{Ref: ref}
		if t := s.records[ref.ID]; t != nil {
			state.Epoch, state.ProcessingStatus = t.Epoch, t.ProcessingStatus
		}
		states = append(states, state)
	}
	return states, nil
}

var beforeAddresses = []models.ProcessingStatus{models.ProcessingNew, models.ProcessingUpdated, models.ProcessingQueued}

func (s *fakeStore) LoadForAddresses(
	_ context.Context, _ models.StageRun, refs []models.Ref,
) ([]models.Transaction, error) {
	return s.load(refs, beforeAddresses...)
}

func (s *fakeStore) LoadForExemptions(_ context.Context, refs []models.Ref) ([]models.Transaction, error) {
	return s.load(refs, models.ProcessingAddressDone)
}

func (s *fakeStore) LoadForNexus(_ context.Context, refs []models.Ref) ([]models.Transaction, error) {
	return s.load(refs, models.ProcessingExemptDone)
}

func (s *fakeStore) LoadForTax(_ context.Context, refs []models.Ref) ([]models.Transaction, error) {
	return s.load(refs, models.ProcessingNexusDone)
}

func (s *fakeStore) ConversionRates(
	_ context.Context, pairs []models.CurrencyPair,
) (map[models.CurrencyPair]models.ConversionRate, error) {
	s.pairs = append(s.pairs, pairs)
	return s.rates, nil
}

func (s *fakeStore) Settings(_ context.Context, ids []string) (map[string]models.OrganizationSettings, error) {
	settings := map[string]models.OrganizationSettings{}
	for _, id := range ids {
		settings[id] = models.DefaultSettings(id)
	}
	return settings, nil
}

func (s *fakeStore) SaveAddresses(
	_ context.Context, run models.StageRun, refs []models.Ref, outcomes []models.AddressOutcome,
) ([]models.StageState, error) {
	return save(s, run, refs, outcomes,
		func(o models.AddressOutcome) (models.Ref, models.ProcessingStatus) { return o.Ref, o.To },
		func(t *models.Transaction, o models.AddressOutcome) { t.Place, t.Origin = &o.Place, o.Origin },
		beforeAddresses...)
}

func (s *fakeStore) SaveExemptions(
	_ context.Context, run models.StageRun, refs []models.Ref, outcomes []models.ExemptionOutcome,
) ([]models.StageState, error) {
	return save(s, run, refs, outcomes,
		func(o models.ExemptionOutcome) (models.Ref, models.ProcessingStatus) {
			return o.Ref, models.ProcessingExemptDone
		},
		func(t *models.Transaction, o models.ExemptionOutcome) { t.Exempt = o.Exempt },
		models.ProcessingAddressDone)
}

func (s *fakeStore) SaveNexus(
	_ context.Context, run models.StageRun, refs []models.Ref, outcomes []models.NexusOutcome,
) ([]models.StageState, error) {
	return save(s, run, refs, outcomes,
		func(o models.NexusOutcome) (models.Ref, models.ProcessingStatus) {
			return o.Ref, models.ProcessingNexusDone
		},
		func(*models.Transaction, models.NexusOutcome) {},
		models.ProcessingExemptDone)
}

func (s *fakeStore) SaveTax(
	_ context.Context, run models.StageRun, refs []models.Ref, outcomes []models.TaxOutcome,
) ([]models.StageState, error) {
	return save(s, run, refs, outcomes,
		func(o models.TaxOutcome) (models.Ref, models.ProcessingStatus) { return o.Ref, o.To },
		func(t *models.Transaction, o models.TaxOutcome) { t.TotalTaxAmountCalculated = o.TaxAmount },
		models.ProcessingNexusDone)
}

func (s *fakeStore) ShowFailed(_ context.Context, refs []models.Ref) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ref := range refs {
		s.shown = append(s.shown, ref.ID)
	}
	return s.showErr
}

func (s *fakeStore) MarkFailed(_ context.Context, _ models.StageRun, refs []models.Ref, code string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ref := range refs {
		s.failures[ref.ID] = code
	}
	return s.saveErr
}

func (s *fakeStore) SaveRefunds(ctx context.Context, run models.StageRun, refs []models.Ref,
	refunds []models.Transaction,
	decide func([]models.Transaction) ([]models.TaxOutcome, error),
) ([]models.StageState, error) {
	outcomes, err := decide(refunds)
	if err != nil {
		return nil, err
	}
	return s.SaveTax(ctx, run, refs, outcomes)
}

func (s *fakeStore) WaitForOriginals(_ context.Context, refs []models.Ref) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, refs...)
	return s.saveErr
}
