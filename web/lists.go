package web

import (
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
	exemptionParameters = []string{"search_query", "status__in", "jurisdiction", "exemption_category__in", "customer_id"}
	rateParameters      = []string{"state_code", "country_code"}
	importParameters    = []string{"status"}
	keyParameters       = []string{"active"}
	deliveryParameters  = []string{"failed"}
	auditParameters     = []string{"object_id", "actor_id", "action__in", "object_type__in", "since", "until"}
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

// sendFile answers with a list as a file in the format of the query. names are the parameters that the list has.
func sendFile(
	names []string, export func(s contract.CallerSession, v *pageRequest, out contract.Stream) error,
) func(*pageRequest) error {
	return func(v *pageRequest) error {
		session := v.session.WithQuery(pick(v.URL.Query(), append([]string{"format"}, names...)...))
		return v.download(func(out contract.Stream) error { return export(session, v, out) })
	}
}

// The lists as files.
var (
	productsFile = sendFile(productParameters, func(s contract.CallerSession, v *pageRequest, out contract.Stream) error {
		return s.ExportProducts(v.Context(), contract.ExportProductsRequest{}, out)
	})
	customersFile = sendFile(customerParameters, func(s contract.CallerSession, v *pageRequest, out contract.Stream) error {
		return s.ExportCustomers(v.Context(), contract.ExportCustomersRequest{}, out)
	})
	filingsFile = sendFile(returnParameters, func(s contract.CallerSession, v *pageRequest, out contract.Stream) error {
		return s.ExportFilings(v.Context(), contract.ExportFilingsRequest{}, out)
	})
	registrationsFile = sendFile(registrationParameters, func(s contract.CallerSession, v *pageRequest, out contract.Stream) error {
		return s.ExportRegistrations(v.Context(), contract.ExportRegistrationsRequest{}, out)
	})
	noticesFile = sendFile(noticeParameters, func(s contract.CallerSession, v *pageRequest, out contract.Stream) error {
		return s.ExportNotices(v.Context(), contract.ExportNoticesRequest{}, out)
	})
	exemptionsFile = sendFile(exemptionParameters, func(s contract.CallerSession, v *pageRequest, out contract.Stream) error {
		return s.ExportExemptions(v.Context(), contract.ExportExemptionsRequest{}, out)
	})
	ratesFile = sendFile(rateParameters, func(s contract.CallerSession, v *pageRequest, out contract.Stream) error {
		return s.ExportRateOverrides(v.Context(), contract.ExportRateOverridesRequest{}, out)
	})
	importsFile = sendFile(importParameters, func(s contract.CallerSession, v *pageRequest, out contract.Stream) error {
		return s.ExportTransactionImports(v.Context(), contract.ExportTransactionImportsRequest{}, out)
	})
	nexusFile = sendFile(nil, func(s contract.CallerSession, v *pageRequest, out contract.Stream) error {
		return s.ExportNexus(v.Context(), contract.ExportNexusRequest{}, out)
	})
	keysFile = sendFile(keyParameters, func(s contract.CallerSession, v *pageRequest, out contract.Stream) error {
		return s.ExportAPIKeys(v.Context(), contract.ExportAPIKeysRequest{}, out)
	})
	peopleFile = sendFile(nil, func(s contract.CallerSession, v *pageRequest, out contract.Stream) error {
		return s.ExportUsers(v.Context(), contract.ExportUsersRequest{}, out)
	})
	webhooksFile = sendFile(nil, func(s contract.CallerSession, v *pageRequest, out contract.Stream) error {
		return s.ExportWebhookEndpoints(v.Context(), contract.ExportWebhookEndpointsRequest{}, out)
	})
	deliveriesFile = sendFile(deliveryParameters, func(s contract.CallerSession, v *pageRequest, out contract.Stream) error {
		return s.ExportWebhookDeliveries(v.Context(),
			contract.ExportWebhookDeliveriesRequest{WebhookEndpointID: v.PathValue("id")}, out)
	})
	auditFile = sendFile(auditParameters, func(s contract.CallerSession, v *pageRequest, out contract.Stream) error {
		return s.ExportAudit(v.Context(), contract.ExportAuditRequest{}, out)
	})
)
