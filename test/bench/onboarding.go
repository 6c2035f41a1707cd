package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"levy/models"
	"levy/workflows"
)

// onboardingClients is how many clients are onboarded at once, each with one call at a time.
const onboardingClients = 16

// onboardingSteps are the calls of the steps 3 to 8: path and body.
var onboardingSteps = [][2]string{
	{"/v1/organization_details/business_details",
		`{"entity_type":"LLC","incorporation_country":"US","company_country_code":"US","ein":"123456780"}`},
	{"/v1/organization_details/business_address",
		`{"company_country_code":"US","company_address_1":"350 5th Ave","company_city":"New York","company_state":"NY",` +
			`"company_postal_code":"10118"}`},
	{"/v1/organization_details/business_information",
		`{"business_phone":"+1 212 555 0100","business_email":"office@example.com","business_fiscal_year_end":"2026-12-31"}`},
	{"/v1/organization_details/business_contact",
		`{"business_contact_name":"Ada Example","business_contact_phone":"+1 212 555 0101",` +
			`"business_contact_email":"ada@example.com","business_contact_dob":"1980-05-17",` +
			`"business_contact_ssn":"123-45-6789","business_contact_address_1":"350 5th Ave",` +
			`"business_contact_city":"New York",` +
			`"business_contact_state":"NY","business_contact_postal_code":"10118","business_contact_country_code":"US"}`},
	{"/v1/organization_details/business_owners",
		`{"business_owner1_name":"Ada Example","business_owner1_percent_ownership":100}`},
	{"/v1/bank_details", `{"account_type":"CHECKING","routing_number":"021000021","account_number":"48151623420",` +
		`"account_holder_name":"Ada Example"}`},
}

// onboardings onboards clients and notes how long each step took.
type onboardings struct {
	*levy
	http   *http.Client
	run    int64
	number atomic.Int64 // of clients begun
	done   atomic.Int64 // of clients
	late   atomic.Int64 // of clients whose step had no answer in time
	mu     sync.Mutex
	took   latencies
}

func (l *levy) newOnboardings() *onboardings {
	return &onboardings{levy: l, run: time.Now().UnixNano(),
		http: &http.Client{Timeout: answerTimeout, Transport: &http.Transport{MaxIdleConnsPerHost: onboardingClients}}}
}

// errLate says that the service gave up on a step: this machine has too much to do.
var errLate = errors.New("a step was not answered in time")

// call sends one request and decodes its answer, which must be a success.
func (p *onboardings) call(ctx context.Context, key, organization, method, path, body string, answer any) error {
	request, err := http.NewRequestWithContext(ctx, method, p.baseURL+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("X-API-KEY", key)
	request.Header.Set("x-organization-id", organization)
	request.Header.Set("Content-Type", "application/json")
	began := time.Now()
	response, err := p.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	took := time.Since(began)
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusServiceUnavailable:
		return errLate
	default:
		return fmt.Errorf("%s %s: %s: %s", method, path, response.Status, content)
	}
	p.mu.Lock()
	p.took = append(p.took, took)
	p.mu.Unlock()
	if answer == nil {
		return nil
	}
	return json.Unmarshal(content, answer)
}

// onboard takes one client through its first steps and returns its id.
func (p *onboardings) onboard(ctx context.Context, steps int) (id string, err error) {
	var made struct {
		ID string `json:"id"`
	}
	name := fmt.Sprintf(`{"name":"Client %d of %d"}`, p.number.Add(1), p.run)
	if err := p.call(ctx, p.apiKey, p.organizationID, http.MethodPost, "/v1/organizations", name, &made); err != nil {
		return "", err
	}
	key, err := p.newKey(ctx, made.ID)
	for step := 3; err == nil && step <= steps; step++ {
		err = p.call(ctx, key, made.ID, http.MethodPut, onboardingSteps[step-3][0], onboardingSteps[step-3][1], nil)
	}
	return made.ID, err
}

// another onboards one more client. One whose step has no answer in time is
// counted and left alone.
func (p *onboardings) another(ctx context.Context) error {
	_, err := p.onboard(ctx, models.LastStep)
	switch {
	case err == nil:
		p.done.Add(1)
	case errors.Is(err, errLate):
		p.late.Add(1)
		return nil
	}
	return err
}

// newKey is step 2, the first time and every time after.
func (p *onboardings) newKey(ctx context.Context, organization string) (string, error) {
	var made struct {
		APIKey string `json:"api_key"`
	}
	err := p.call(ctx, p.apiKey, organization, http.MethodPost, "/v1/organizations/api_keys", "{}", &made)
	return made.APIKey, err
}

// many does work from several goroutines for a time; what has begun ends.
func many(ctx context.Context, during time.Duration, work func(context.Context) error) error {
	until := time.Now().Add(during)
	group, ctx := errgroup.WithContext(ctx)
	for range onboardingClients {
		group.Go(func() error {
			for time.Now().Before(until) {
				if err := work(ctx); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// measureOnboarding onboards clients as fast as the answers come. The references are an Update of Temporal that does
// nothing, and one with an empty activity.
func (b *bench) measureOnboarding(ctx context.Context) error {
	if err := b.ensure(ctx, true); err != nil {
		return err
	}
	during := time.Duration(b.Seconds) * time.Second
	if err := b.measureUpdates(ctx, during); err != nil {
		return err
	}
	b.say("Onboardings of eight steps, %d clients at once, %d s", onboardingClients, b.Seconds)
	if err := many(ctx, warmUp, b.newOnboardings().another); err != nil {
		return err
	}
	p := b.newOnboardings()
	profiles := b.startProfiles(ctx, "onboarding", during, "api", "worker")
	before, began := b.cpuNow(), time.Now()
	err := many(ctx, during, p.another)
	if err := errors.Join(err, profiles()); err != nil {
		return err
	}
	b.report.steps = b.report.add("steps of onboardings",
		newPhase(onboardingClients, p.took, time.Since(began), b.cpuNow().since(before)))
	b.say("  %s", b.report.steps)
	b.report.beside("onboardings a minute", "1/min", 60*float64(p.done.Load())/b.report.steps.Seconds, "", 0)
	if late := p.late.Load(); late > 0 {
		b.report.note("%d of %d clients had a step without an answer in time.", late, p.number.Load())
	}
	quiet := b.newOnboardings()
	var last string
	for range max(1, b.Idle/models.LastStep) {
		if last, err = quiet.onboard(ctx, models.LastStep); err != nil {
			return err
		}
	}
	if err := b.measureHistory(ctx, workflows.OnboardingID(last)); err != nil {
		return err
	}
	b.report.beside("step, one client at a time, p50", "ms", quiet.took.percentile(50), "bare update",
		b.report.bareIdle.percentile(50))
	b.report.beside("step, one client at a time, p99", "ms", quiet.took.percentile(99), "bare update",
		b.report.bareIdle.percentile(99))
	return b.measureAmongMany(ctx)
}
