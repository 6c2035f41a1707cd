package transactions

import (
	"encoding/json"
	"fmt"

	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/contract"
	"levy/models"
)

// requiredAfter is the exemption that the new version requires. What was asked for
// before is for whoever the customer is now, and begins on the tax date of now unless it
// had a first day of its own.
func requiredAfter(
	sent nullable.Nullable[contract.RequiredExemption], stored, read *models.Transaction, sameCustomer bool,
) *contract.RequiredExemption {
	asked := requiredExemption(stored.RequiresExemption)
	r := asked
	switch {
	case sent.IsNull():
		return nil
	case sent.IsSpecified():
		required := sent[true]
		r = &required
		if asked == nil {
			return r
		}
		if asked.StartDate.IsZero() && r.StartDate.Equal(read.TaxDate) {
			r.StartDate = openapi_types.Date{}
		}
		if r.CustomerID != asked.CustomerID {
			return r
		}
	}
	if r != nil && !sameCustomer {
		r.CustomerID = ""
	}
	return r
}

// exemptionsAfter are the exemptions that the new version asks for, each with its path
// in the request. Answers show those that were applied: all of them are no order, and one of
// them among others stands for what was asked for, or for nothing when Levy found it by itself.
func exemptionsAfter(
	sent nullable.Nullable[[]contract.TransactionExemptionCreate], stored, read *models.Transaction, sameCustomer bool,
) (ordered []contract.TransactionExemptionCreate, paths []string) {
	asked := askedExemptions(stored.Sent.Exemptions)
	if !sameCustomer {
		for i := range asked {
			asked[i].CustomerID = ""
		}
	}
	entries, ok := sent[true]
	switch {
	case sent.IsNull():
		return nil, nil
	case !ok:
		return asked, exemptionPaths(len(asked))
	}
	stands := standsFor(asked, stored, read)
	if allShown(entries, read.Exemptions) {
		for i := range asked {
			paths = append(paths, pathOfExemption(&asked[i], entries, stands))
		}
		return asked, paths
	}
	for i, e := range entries {
		was, decided := stands[e.ID]
		switch {
		case !decided: // one of the client's own, or one that is not shown
			ordered = append(ordered, e)
		case was != nil:
			ordered = append(ordered, *was)
		default:
			continue
		}
		paths = append(paths, exemptionPath(i))
	}
	return ordered, paths
}

// pathOfExemption is where the request shows what was asked for before: the list of exemptions
// when it does not, because that does not apply.
func pathOfExemption(
	asked *contract.TransactionExemptionCreate, entries []contract.TransactionExemptionCreate,
	stands map[string]*contract.TransactionExemptionCreate,
) string {
	for i, e := range entries {
		if stands[e.ID] == asked || e.ID != "" && e.ID == asked.ID {
			return exemptionPath(i)
		}
	}
	return exemptionList
}

// exemptionList is where a request has its exemptions.
const exemptionList = "exemptions"

func exemptionPath(i int) string { return fmt.Sprintf("%s[%d]", exemptionList, i) }

// exemptionPaths are those of the exemptions of a request, in their order.
func exemptionPaths(count int) []string {
	paths := make([]string, count)
	for i := range paths {
		paths[i] = exemptionPath(i)
	}
	return paths
}

func askedExemptions(sent json.RawMessage) []contract.TransactionExemptionCreate {
	var asked []contract.TransactionExemptionCreate
	if sent == nil || json.Unmarshal(sent, &asked) != nil {
		return nil
	}
	return asked
}

// allShown reports whether entries are the exemptions that answers show, and nothing else.
func allShown(entries []contract.TransactionExemptionCreate, shown []models.Exemption) bool {
	named := map[string]bool{}
	for _, e := range entries {
		named[e.ID] = true
	}
	for _, e := range shown {
		if !named[e.ID] {
			return false
		}
	}
	return len(named) == len(shown)
}

// standsFor says of each exemption that Levy made or found for the transaction which
// entry of the request it came from; nil for none of the list. Those that the request
// names by their ids stand for themselves and are left out.
func standsFor(
	asked []contract.TransactionExemptionCreate, stored, read *models.Transaction,
) map[string]*contract.TransactionExemptionCreate {
	stands := map[string]*contract.TransactionExemptionCreate{}
	for _, e := range read.Exemptions {
		stands[e.ID] = nil
	}
	made := stored.Sent.Made // in the order of their making
	next := func(status contract.ExemptionStatus) (id string, ok bool) {
		if status != contract.ExemptionStatusACTIVE || len(made) == 0 {
			return "", false
		}
		id, made = made[0], made[1:]
		return id, true
	}
	if r := requiredExemption(stored.RequiresExemption); r != nil {
		if id, ok := next(r.Status); ok {
			stands[id] = nil
		}
	}
	for i := range asked {
		if asked[i].ID != "" {
			delete(stands, asked[i].ID)
		} else if id, ok := next(asked[i].Status); ok {
			stands[id] = &asked[i]
		}
	}
	return stands
}
