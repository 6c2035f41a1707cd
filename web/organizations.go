package web

import (
	"cmp"
	"html/template"

	"levy/contract"
	"levy/models"
)

// organizationsPath is the address of the list of all organizations, for staff.
const organizationsPath = "/organizations"

// listedOrganization is an organization of the list.
type listedOrganization struct{ contract.Organization }

// Shown returns the name of the organization, else its id.
func (o listedOrganization) Shown() string { return cmp.Or(plain(o.Name), o.ID) }

type organizationList struct {
	listPage

	Items   []listedOrganization
	File    template.URL
	Filters filterForm
}

// organizationFilters returns the filters of the list of organizations. Without a choice the list has active ones.
func organizationFilters() []field {
	const active, archived = string(models.OrganizationActive), string(models.OrganizationArchived)
	shown := options(models.OrganizationActive, models.OrganizationArchived)
	status := field{Name: "status__in", Label: "Status", Kind: "select", NoBlank: true, id: "status",
		Options: append([]option{{"", shown[0].Label}}, shown[1], option{active + "," + archived, "All"})}
	return []field{
		search("query", "query", "Name or ID"), status,
		allOf("onboarding", "onboarding_status", "Onboarding", options(models.OnboardingTransitions.States...)),
		allOf("test", "is_test", "Data", []option{{"false", "Live"}, {"true", "Test"}}),
		sortedBy(option{"", "Oldest first"}, option{"-created_at", "Newest first"}, option{"name", "By name"},
			option{"-updated_at", "Latest change first"}),
	}
}

// organizations lists all organizations. The API allows it to staff alone.
func (c *Console) organizations(v *pageRequest) error {
	list := organizationList{listPage: v.listPage()}
	query := v.sized(pick(list.Query, append([]string{"page"}, organizationParameters...)...))
	found, err := v.session.WithQuery(query).ListOrganizations(v.Context(), contract.ListOrganizationsRequest{})
	if err != nil {
		return err
	}
	list.listPage = v.pageOf(found.Total, found.Page, found.Pages)
	for _, each := range found.Items {
		list.Items = append(list.Items, listedOrganization{each})
	}
	list.File = v.fileOf("organizations", list.Query, organizationParameters...)
	list.Filters = filters("Find", list.Query, organizationFilters()...)
	return v.show("Organizations", list)
}
