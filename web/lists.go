package web

import (
	"context"
	"html/template"
	"net/url"

	"levy/contract"
)

// The parameters of lists that their files have too.
var (
	productParameters      = []string{"query", "status__in"}
	customerParameters     = []string{"search_query", "status__in"}
	returnParameters       = []string{"status__in", "state_code", "country_code", "due_date__lte", "order_by"}
	registrationParameters = []string{"state_code", "country_code__in", "status__in", "filing_frequency__in"}
	noticeParameters       = []string{"status__in", "kind__in", "filing_id", "registration_id", "state_code", "country_code",
		"due_date__lte", "search_query"}
	exemptionParameters    = []string{"search_query", "status__in", "jurisdiction", "exemption_category__in", "customer_id"}
	rateParameters         = []string{"state_code", "country_code"}
	importParameters       = []string{"status"}
	keyParameters          = []string{"active"}
	deliveryParameters     = []string{"failed"}
	organizationParameters = []string{"query", "status__in", "onboarding_status", "is_test", "order_by"}
	auditParameters        = []string{"object_id", "actor_id", "action__in", "object_type__in", "since", "until"}
)

// fileOf returns the address of a list as a file: of an organization, or of staff. Templates add the format.
func (v *pageRequest) fileOf(list string, query url.Values, names ...string) template.URL {
	asked := pick(query, names...)
	if asked != "" {
		asked += "&"
	}
	folder := "/"
	if v.org != "" {
		folder = "/o/" + url.PathEscape(v.org) + "/"
	}
	return template.URL(folder + list + "/export?" + asked) //nolint:gosec // it is encoded
}

// exportOf is an export of a list, with a type of requests of its own.
type exportOf[R any] = func(contract.CallerSession, context.Context, R, contract.Stream) error

// sendFile answers with a list as a file in the format of the query. names are the parameters that the list has.
func sendFile[R any](v *pageRequest, names []string, export exportOf[R], request R) error {
	session := v.session.WithQuery(pick(v.URL.Query(), append([]string{"format"}, names...)...))
	return v.download(func(out contract.Stream) error { return export(session, v.Context(), request, out) })
}

// listFile returns the page of a list as a file, whose export needs nothing but the query.
func listFile[R any](names []string, export exportOf[R]) func(*pageRequest) error {
	return func(v *pageRequest) error { return sendFile(v, names, export, *new(R)) }
}

// The lists as files.
var (
	productsFile      = listFile(productParameters, contract.CallerSession.ExportProducts)
	customersFile     = listFile(customerParameters, contract.CallerSession.ExportCustomers)
	filingsFile       = listFile(returnParameters, contract.CallerSession.ExportFilings)
	registrationsFile = listFile(registrationParameters, contract.CallerSession.ExportRegistrations)
	noticesFile       = listFile(noticeParameters, contract.CallerSession.ExportNotices)
	exemptionsFile    = listFile(exemptionParameters, contract.CallerSession.ExportExemptions)
	ratesFile         = listFile(rateParameters, contract.CallerSession.ExportRateOverrides)
	importsFile       = listFile(importParameters, contract.CallerSession.ExportTransactionImports)
	nexusFile         = listFile(nil, contract.CallerSession.ExportNexus)
	keysFile          = listFile(keyParameters, contract.CallerSession.ExportAPIKeys)
	peopleFile        = listFile(nil, contract.CallerSession.ExportUsers)
	webhooksFile      = listFile(nil, contract.CallerSession.ExportWebhookEndpoints)
	auditFile         = listFile(auditParameters, contract.CallerSession.ExportAudit)
	organizationsFile = listFile(organizationParameters, contract.CallerSession.ExportOrganizations)
	reportFile        = listFile(reportParameters, contract.CallerSession.ExportReport)
)

// deliveriesFile answers with the deliveries to an endpoint as a file.
func deliveriesFile(v *pageRequest) error {
	return sendFile(v, deliveryParameters, contract.CallerSession.ExportWebhookDeliveries,
		contract.ExportWebhookDeliveriesRequest{WebhookEndpointID: v.PathValue("id")})
}
