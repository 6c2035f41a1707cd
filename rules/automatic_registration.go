package rules

import (
	"slices"
	"time"

	"levy/models"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

// NexusProof is what a nexus record says when Levy may register its organization automatically.
type NexusProof struct {
	CountryCode      string
	EconomicNexusMet bool
	Crossed          bool // the sale that crossed the threshold is known
	PhysicalNexusMet bool
	Disregard        models.NexusDisregard `gorm:"embedded"`
	UnionEnabled     bool                  // the organization is registered in the European Union too
}

// Registers decides whether an organization is registered where it has nexus. Nexus is proven by the sale that crossed
// the threshold or by a presence, in a way that is not disregarded; collected tax proves nothing.
func (p *NexusProof) Registers(day time.Time) bool {
	disregarded := func(kind models.NexusKind) bool {
		return p.Disregard.On(day) && slices.Contains(p.Disregard.Kinds, kind)
	}
	// guard: registration: economic nexus is proven by the sale that crossed the threshold
	economic := p.EconomicNexusMet && p.Crossed && !disregarded(models.NexusEconomic)
	physical := p.PhysicalNexusMet && !disregarded(models.NexusPhysical)
	ofUnion := p.CountryCode == models.EuropeanUnion || nexus.UnionMember(p.CountryCode, calendar.DateOf(day))
	// guard: registration: the European Union has its own switch
	if ofUnion && !p.UnionEnabled {
		return false
	}
	return economic || physical
}
