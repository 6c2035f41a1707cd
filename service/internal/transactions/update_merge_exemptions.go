package transactions

import (
	"encoding/json"
	"fmt"

	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/contract"
	"levy/models"
)

// requiredAfter returns the exemption that the new version requires. A previously requested one applies
// to the present customer. It begins on the present tax date unless it had its own first day.
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

// exemptionsAfter returns the exemptions that the new version requests, each with its path in the request.
// An update that repeats all exemptions of the answer requests nothing new. A repeated exemption among others means the
// one that was requested before, or nothing if Levy found it automatically.
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
		case !decided: // submitted by the client, or absent from the answer
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

// pathOfExemption returns the path at which the request repeats a previously requested exemption, or the path
// of the list.
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

// exemptionList is the path of the exemptions of a request.
const exemptionList = "exemptions"

// exemptionPath returns the path of an exemption of a request.
func exemptionPath(i int) string { return fmt.Sprintf("%s[%d]", exemptionList, i) }

// exemptionPaths returns the paths of all exemptions of a request, in their order.
func exemptionPaths(count int) []string {
	paths := make([]string, count)
	for i := range paths {
		paths[i] = exemptionPath(i)
	}
	return paths
}

// askedExemptions returns the previously requested exemptions.
func askedExemptions(sent json.RawMessage) []contract.TransactionExemptionCreate {
	var asked []contract.TransactionExemptionCreate
	if sent == nil || json.Unmarshal(sent, &asked) != nil {
		return nil
	}
	return asked
}

// allShown reports whether entries are exactly the exemptions of an answer.
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

// standsFor returns for each exemption that Levy created or found the entry of the request that it came from;
// nil for none. It omits exemptions that the request names by id.
func standsFor(
	asked []contract.TransactionExemptionCreate, stored, read *models.Transaction,
) map[string]*contract.TransactionExemptionCreate {
	stands := map[string]*contract.TransactionExemptionCreate{}
	for _, e := range read.Exemptions {
		stands[e.ID] = nil
	}
	made := stored.Sent.Made // in the order of their creation
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
