package activities

import (
	"context"

	"levy/models"
	"levy/tax/calendar"
)

// nexusPage is how many organizations one step of the daily run evaluates.
const nexusPage = 20

// NexusPageInput says which day it is, and where to go on.
type NexusPageInput struct {
	Today string `json:"today"` // 2006-01-02
	After string `json:"after"` // organization; empty to begin with the first
}

// NexusPageResult says what one step did and where to go on.
type NexusPageResult struct {
	Organizations int                        `json:"organizations"`
	Evaluated     int                        `json:"evaluated"`
	Changed       int                        `json:"changed"`
	Obligations   []models.ChangedObligation `json:"obligations,omitempty"`
	Next          string                     `json:"next"`
	Done          bool                       `json:"done"`
}

// EnsureNexusRecords gives organizations the records they lack, by the content in
// force, a bounded number of organizations at a time.
func (n *Nexus) EnsureNexusRecords(ctx context.Context, in NexusPageInput) (NexusPageResult, error) {
	today, err := calendar.ParseDate(in.Today)
	if err != nil {
		return NexusPageResult{}, invalidInput("today is not a day")
	}
	var result NexusPageResult
	err = n.do(ctx, 0, func(ctx context.Context) error {
		if in.After == "" {
			if err := n.content.Refresh(ctx); err != nil {
				return err
			}
			all := models.NexusJurisdictionsOf(n.content.Current(), today)
			if err := n.store.RecordNexusJurisdictions(ctx, all); err != nil {
				return err
			}
		}
		created, next, err := n.store.EnsureNexusRecords(ctx, in.After)
		result = NexusPageResult{Changed: created, Next: next, Done: next == ""}
		return err
	})
	return result, err
}

// EvaluateNexusPage evaluates all records of the next organizations.
func (n *Nexus) EvaluateNexusPage(ctx context.Context, in NexusPageInput) (NexusPageResult, error) {
	var ids []string
	err := n.do(ctx, 0, func(ctx context.Context) (err error) {
		ids, err = n.store.OrganizationsAfter(ctx, in.After, nexusPage)
		return err
	})
	if err != nil {
		return NexusPageResult{}, err
	}
	if len(ids) == 0 {
		return NexusPageResult{Next: in.After, Done: true}, nil
	}
	result, err := n.EvaluateNexus(ctx, EvaluateNexusInput{Organizations: ids, Today: in.Today, All: true})
	if err != nil {
		return NexusPageResult{}, err
	}
	return NexusPageResult{
		Organizations: len(ids), Evaluated: result.Evaluated, Changed: result.Changed, Obligations: result.Obligations,
		Next: ids[len(ids)-1], Done: len(ids) < nexusPage,
	}, nil
}
