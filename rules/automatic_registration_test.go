package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

func TestNexusThatLeadsToARegistration(t *testing.T) {
	t.Parallel()
	today, tomorrow := calendar.MustDate("2026-05-15").Time(), calendar.MustDate("2026-05-16").Time()
	disregard := func(kinds ...models.NexusKind) models.NexusDisregard {
		return models.NexusDisregard{DisregardedAt: &today, Kinds: kinds}
	}
	ended := disregard(models.NexusEconomic)
	ended.DisregardedUntil = &today
	ends := disregard(models.NexusEconomic)
	ends.DisregardedUntil = &tomorrow
	for _, c := range []struct {
		rule  string
		proof rules.NexusProof
		want  bool
	}{
		{"a sale crossed the threshold", rules.NexusProof{EconomicNexusMet: true, Crossed: true}, true},
		{"which sale is not known", rules.NexusProof{EconomicNexusMet: true}, false},
		{"there is a presence", rules.NexusProof{PhysicalNexusMet: true}, true},
		{"there is neither", rules.NexusProof{Crossed: true}, false},
		{"it is disregarded", rules.NexusProof{EconomicNexusMet: true, Crossed: true,
			Disregard: disregard(models.NexusEconomic)}, false},
		{"the other is", rules.NexusProof{EconomicNexusMet: true, Crossed: true,
			Disregard: disregard(models.NexusPhysical, models.NexusCollectedTax)}, true},
		{"the presence is", rules.NexusProof{PhysicalNexusMet: true, Disregard: disregard(models.NexusPhysical)}, false},
		{"until today", rules.NexusProof{EconomicNexusMet: true, Crossed: true, Disregard: ended}, true},
		{"until tomorrow", rules.NexusProof{EconomicNexusMet: true, Crossed: true, Disregard: ends}, false},
		{"in the Union", rules.NexusProof{CountryCode: "DE", PhysicalNexusMet: true, UnionEnabled: true}, true},
		{"in the Union, which it does not want", rules.NexusProof{CountryCode: "DE", PhysicalNexusMet: true}, false},
		{"at the one-stop shop, neither", rules.NexusProof{CountryCode: "ZZ_EU", EconomicNexusMet: true, Crossed: true},
			false},
		{"elsewhere", rules.NexusProof{CountryCode: "GB", PhysicalNexusMet: true}, true},
	} {
		require.Equal(t, c.want, c.proof.Registers(today), c.rule)
	}
}
