package main

import (
	"context"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
)

// contentChanges are those of the newest version that was recorded since the last activation, else those that the
// version in force made. Reading a version takes much memory: one comparison at a time.
func (p *parts) contentChanges(ctx context.Context) (models.ContentChanges, error) {
	select {
	case p.comparing <- struct{}{}:
		defer func() { <-p.comparing }()
	case <-ctx.Done():
		return models.ContentChanges{}, ctx.Err()
	}
	var found models.ContentChanges
	var err error
	if found.InForce, err = p.store.Content.ActiveContent(ctx); err != nil || found.InForce == "" {
		return found, err
	}
	found.From = found.InForce
	if found.To, err = p.store.Content.DraftContent(ctx); err != nil {
		return found, err
	}
	if found.To == found.InForce {
		if found.From, err = p.store.Content.PreviousContent(ctx); err != nil || found.From == "" {
			return found, err
		}
	}
	old, err := p.contentOf(ctx, found.From)
	if err != nil {
		return found, err
	}
	next, err := p.contentOf(ctx, found.To)
	if err != nil {
		return found, err
	}
	changes := old.RateChanges(next)
	found.Total, found.States = len(changes), old.BoundaryChanges(next)
	for _, c := range changes[:min(len(changes), shownChanges)] {
		found.Changes = append(found.Changes, contentChange(c))
	}
	return found, nil
}

// contentOf reads a version; the one in force is in memory.
func (p *parts) contentOf(ctx context.Context, version string) (*tax.Content, error) {
	if current := p.taxes.Current(); current.Version() == version {
		return current, nil
	}
	pack, err := p.store.Content.ContentPack(ctx, version)
	if err != nil {
		return nil, err
	}
	return tax.ParseContent(pack)
}

func contentChange(c tax.RateChange) models.ContentChange {
	percent := func(rate *decimal.Decimal) string {
		if rate == nil {
			return ""
		}
		return tax.FormatPercent(*rate)
	}
	change := models.ContentChange{
		State: c.Jurisdiction.State, Jurisdiction: c.Jurisdiction.Name, Class: string(c.Class),
		Old: percent(c.Old), New: percent(c.New), From: c.From.Time(),
	}
	if !c.To.IsZero() {
		change.Until = new(c.To.Time())
	}
	return change
}
