package web

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Paths and labels of the first pages of a person and of an organization.
const (
	homeLabel        = "Home"
	organizationPath = "/o/{org}"
	clientsPath      = "/clients"
)

// menuGroup is a group of links in the navigation.
type menuGroup struct {
	ID, Name string
	Entries  []menuEntry
}

// menuEntry is a link of the navigation. Current reports whether the page, or one below it, is shown.
type menuEntry struct {
	Address, Label string
	Current        bool
}

// menuOrder are the groups of the navigation with the paths of their pages, in order. A page with a label that is in
// none of them comes last in the last group.
var menuOrder = []struct {
	id, name string
	paths    []string
}{
	{"overview", "Overview", []string{"/{$}", "/o/{org}", "/exceptions", "/organizations", "/clients", "/onboarding", "/operations"}},
	{"sales", "Sales", []string{"/o/{org}/transactions", "/o/{org}/imports", "/o/{org}/products", "/o/{org}/customers",
		"/o/{org}/exemptions", "/o/{org}/estimate"}},
	{"compliance", "Compliance", []string{"/filings", "/filings/calendar", "/o/{org}/filings", "/o/{org}/nexus",
		"/o/{org}/registrations", "/o/{org}/notices", "/o/{org}/rates", "/o/{org}/reports"}},
	{"settings", "Settings", []string{"/o/{org}/company", "/o/{org}/people", "/o/{org}/keys", "/o/{org}/feeds", "/o/{org}/webhooks",
		"/o/{org}/audit", "/o/{org}/settings", "/people", "/account",
		"/preferences"}},
}

// menu returns the groups of links that the person sees. The one whose path is the longest beginning of the page's path
// is marked.
func (c *Console) menu(f *layout) (groups []menuGroup) {
	position := func(path string) (group, place int) {
		for i, g := range menuOrder {
			if at := slices.Index(g.paths, path); at >= 0 {
				return i, at
			}
		}
		return len(menuOrder) - 1, len(c.pages)
	}
	type placed struct {
		entry menuEntry
		place int
	}
	byGroup := make([][]placed, len(menuOrder))
	longest, current := 0, ""
	for i := range c.pages {
		p := &c.pages[i]
		ofOrganization := strings.HasPrefix(p.path, organizationPath)
		if p.label == "" || ofOrganization && f.NavOrg == "" || p.visible != nil && !p.visible(f) {
			continue
		}
		entry := menuEntry{Address: f.addressOf(p), Label: p.label}
		if p.path == organizationPath {
			if f.Sole { // its home is that of the person
				continue
			}
			entry.Label = f.NavName
		}
		if n := len(entry.Address); n > longest && isBelow(f.Path, entry.Address) {
			longest, current = n, entry.Address
		}
		group, place := position(p.path)
		byGroup[group] = append(byGroup[group], placed{entry, place})
	}
	for i, g := range menuOrder {
		slices.SortStableFunc(byGroup[i], func(a, b placed) int { return a.place - b.place })
		group := menuGroup{ID: g.id, Name: g.name}
		for _, each := range byGroup[i] {
			each.entry.Current = each.entry.Address == current
			group.Entries = append(group.Entries, each.entry)
		}
		if group.Entries != nil {
			groups = append(groups, group)
		}
	}
	return groups
}

// navigate sets the navigation around a page: its groups, the pages above it, and other organizations.
func (c *Console) navigate(f *layout) {
	member := f.Session.Organizations
	f.Sole = len(member) == 1 && !f.Session.isStaff() && !member[0].Root
	f.NavOrg, f.NavName = f.Org, cmp.Or(f.OrgName, f.Org)
	if len(member) == 1 && f.Org == "" {
		f.NavOrg = member[0].OrganizationID
		f.NavName = cmp.Or(valueOf(member[0].OrganizationName), f.NavOrg)
	}
	f.Sole = f.Sole && f.NavOrg == member[0].OrganizationID
	f.Groups, f.Crumbs, f.Switch = c.menu(f), c.crumbs(f), f.switchable()
	if f.Path == pageAddress(&page{path: organizationPath}, f.Org) {
		f.Here = f.NavName
	}
}

// isBelow reports whether a path is an address of the menu or below it. Nothing is below the home page.
func isBelow(path, address string) bool {
	return path == address || address != "/" && strings.HasPrefix(path, address+"/")
}

// pageAddress returns the address of a page of an organization, or of one that has none.
func pageAddress(p *page, organization string) string {
	return strings.TrimSuffix(strings.Replace(p.path, "{org}", url.PathEscape(organization), 1), "{$}")
}

// addressOf returns the address of a page of the navigation. The clients of another partner than the person's own name it.
func (f *layout) addressOf(p *page) string {
	address := pageAddress(p, f.NavOrg)
	if p.path == clientsPath && f.Partner && f.Root != f.Org {
		address += "?organization_id=" + url.QueryEscape(f.Org)
	}
	return address
}

// crumbs returns the links to the pages above a page, the highest first. Pages of an organization begin with its name.
func (c *Console) crumbs(f *layout) (above []menuEntry) {
	if f.Path == "/" {
		return nil
	}
	from := path.Dir(f.Path)
	if found, p := c.pageAt(f.Path); p != nil && found == f.Path && p.above != "" {
		from = pageAddress(&page{path: p.above}, f.Org)
	}
	for at := from; at != "/" && at != "."; at = path.Dir(at) {
		found, p := c.pageAt(at)
		if p == nil || found != at {
			continue
		}
		entry := menuEntry{Address: at, Label: cmp.Or(p.label, p.crumb)}
		if p.path == organizationPath {
			entry.Label = f.NavName
		}
		if p.path == clientsPath {
			entry.Address = f.addressOf(p)
		}
		above = append(above, entry)
	}
	above = append(above, menuEntry{Address: "/", Label: homeLabel})
	slices.Reverse(above)
	return above
}

// switchable returns the organizations of the person other than the one of the page, with the same page of each.
func (f *layout) switchable() (others []menuEntry) {
	rest := "/"
	if f.Org != "" {
		parts := strings.SplitN(f.Path, "/", 5) // "", "o", the organization, the list
		if len(parts) > 3 {
			rest = "/" + parts[3]
		}
	}
	for _, o := range f.Session.Organizations {
		if o.OrganizationID == f.NavOrg || len(others) == mostSwitchable {
			continue
		}
		others = append(others, menuEntry{
			Address: "/o/" + url.PathEscape(o.OrganizationID) + strings.TrimSuffix(rest, "/"),
			Label:   cmp.Or(valueOf(o.OrganizationName), o.OrganizationID),
		})
	}
	return others
}

// mostSwitchable is the number of organizations that the switcher lists. Others are found by their name.
const mostSwitchable = 12
