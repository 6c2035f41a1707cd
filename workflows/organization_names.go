package workflows

import (
	"strings"

	sdkclient "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

// longestKeyword is the most characters of a name in a search attribute: Temporal on SQL has room for 255 bytes.
const longestKeyword = 60

// OrganizationsOf are the ids of the organizations of a run that is to be started.
func OrganizationsOf(options *sdkclient.StartWorkflowOptions) []string {
	ids, _ := options.TypedSearchAttributes.GetKeywordList(organizationIDs)
	return ids
}

// Named lets staff find a run that is to be started by the public names of its organizations, and read them in
// its summary. names are by id; of an organization that has none there the id stays.
func Named(options *sdkclient.StartWorkflowOptions, names map[string]string) {
	var known []string
	for _, id := range OrganizationsOf(options) {
		name := names[id]
		if name == "" {
			continue
		}
		options.StaticSummary = strings.ReplaceAll(options.StaticSummary, id, name)
		known = append(known, keyword(name))
	}
	if len(known) > 0 {
		options.TypedSearchAttributes = temporal.NewSearchAttributes(
			options.TypedSearchAttributes.Copy(), organizationNames.ValueSet(known))
	}
}

// keyword is a name as a search attribute has it.
func keyword(name string) string {
	if letters := []rune(name); len(letters) > longestKeyword {
		return string(letters[:longestKeyword])
	}
	return name
}
