package feed

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"levy/contract"
	"levy/models"
	"levy/service/internal/catalog"
	"levy/service/internal/deps"
	"levy/service/internal/filings"
	"levy/service/internal/nexus"
	"levy/service/internal/notices"
	"levy/service/internal/onboarding"
	"levy/service/internal/people"
	"levy/service/internal/registrations"
	"levy/service/internal/transactions"
)

// EventAnswers returns events in the form of the feed, for deliveries to webhooks.
type EventAnswers struct{ operations *Operations }

// NewEventAnswers returns event answers by the rules of onboardings, the current law and the records.
func NewEventAnswers(events deps.Events, law deps.Law, rules models.OnboardingRules) *EventAnswers {
	d := &deps.Deps{Events: events, Law: law}
	return &EventAnswers{New(d, time.Now, nil, nil, rules,
		transactions.New(d, time.Now, nil, nil, nil), filings.New(d, time.Now, nil), registrations.New(d, time.Now, nil, nil),
		nexus.New(d, time.Now, nil, 0), onboarding.New(d, time.Now, nil, nil, nil, nil, rules, nil),
		people.New(d, time.Now, nil, nil, nil, nil, nil, nil, nil, nil, nil),
	)}
}

// Documents returns one document for each event, in the form of the feed.
func (a *EventAnswers) Documents(ctx context.Context, events []models.Event) ([][]byte, error) {
	answers, err := a.operations.eventAnswers(ctx, events)
	if err != nil {
		return nil, err
	}
	documents := make([][]byte, len(answers))
	for i := range answers {
		if documents[i], err = contract.Encode(answers[i]); err != nil {
			return nil, err
		}
	}
	return documents, nil
}

// eventObjects returns the record of an event as its resource, and the former values of the changed members.
func (o *Operations) eventObjects(r *models.EventRecord) (object, previous contract.Object, err error) {
	object, previous = contract.Object(r.Record), contract.Object("{}")
	if r.Now == nil {
		if r.Previous != nil {
			previous = contract.Object(r.Previous)
		}
		return object, previous, nil
	}
	if object, err = contract.Encode(o.resourceOf(r.Now)); err != nil {
		return nil, nil, fmt.Errorf("event %s: %w", r.ID(), err)
	}
	if r.Before == nil {
		return object, previous, nil
	}
	before, err := contract.Encode(o.resourceOf(r.Before))
	if err == nil {
		previous, err = changedMembers(before, object)
	}
	return object, previous, err
}

// resourceOf returns a record in the form of the contract.
func (o *Operations) resourceOf(record any) any {
	switch r := record.(type) {
	case *models.Organization:
		return onboarding.OrganizationAnswer(*r)
	case *models.Onboarding:
		return o.onboarding.Answer(*r)
	case *models.APIKey:
		return o.people.APIKeyAnswer(*r)
	case *models.Product:
		return catalog.ProductAnswer(*r)
	case *models.Customer:
		return catalog.CustomerAnswer(*r)
	case *models.ExemptionRecord:
		return catalog.ExemptionAnswer(*r)
	case *models.Transaction:
		return transactions.Answer(r)
	case *models.PhysicalNexus:
		return nexus.PhysicalAnswer(*r)
	case *models.Notice:
		return notices.Answer(*r)
	case *models.NexusRecord:
		return o.nexus.Answer(*r)
	case *models.Registration:
		return o.registrations.Answer(*r)
	case *models.Filing:
		return o.filings.Answer(*r)
	}
	panic(fmt.Sprintf("api: %T is shown by nothing", record))
}

// changedMembers returns the former values of the members that differ now. A member that did not exist is null.
func changedMembers(before, now []byte) (contract.Object, error) {
	var was, is map[string]jsontext.Value
	if err := json.Unmarshal(before, &was); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(now, &is); err != nil {
		return nil, err
	}
	changed := map[string]jsontext.Value{}
	for name, value := range was {
		if !bytes.Equal(value, is[name]) {
			changed[name] = value
		}
	}
	for name := range is {
		if _, ok := was[name]; !ok {
			changed[name] = jsontext.Value("null")
		}
	}
	delete(changed, "updated_at")
	return contract.Encode(changed)
}
