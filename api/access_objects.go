package api

import (
	"github.com/gin-gonic/gin"

	"levy/api/openapi"
	"levy/models"
)

// These find the object that a path names, for accessRule.object. Errors: those of the operation that reads it.

func productOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetProduct(c.Request.Context(), openapi.GetProductRequest{ProductID: c.Param("product_id")})
	return err
}

func productByExternalIDOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetProductByExternalID(c.Request.Context(), openapi.GetProductByExternalIDRequest{
		ExternalID: c.Param("external_id"),
	})
	return err
}

func customerOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetCustomer(c.Request.Context(), openapi.GetCustomerRequest{CustomerID: c.Param("customer_id")})
	return err
}

func customerByExternalIDOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetCustomerByExternalID(c.Request.Context(), openapi.GetCustomerByExternalIDRequest{
		ExternalID: c.Param("external_id"),
	})
	return err
}

func exemptionOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetExemption(c.Request.Context(), openapi.GetExemptionRequest{ExemptionID: c.Param("exemption_id")})
	return err
}

func attachmentOfPath(s *Server, c *gin.Context) error {
	ctx := c.Request.Context()
	_, err := s.deps.Exemptions.Attachment(ctx, callOf(ctx).scope, c.Param("exemption_id"), c.Param("attachment_id"))
	return err
}

func importOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetTransactionImport(c.Request.Context(), openapi.GetTransactionImportRequest{
		ImportID: c.Param("import_id"),
	})
	return err
}

func nexusOfPath(s *Server, c *gin.Context) error {
	_, err := s.deps.Registrations.NexusPlace(
		c.Request.Context(), callOf(c.Request.Context()).scope, c.Param("nexus_id"),
	)
	return err
}

func registrationOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetRegistration(c.Request.Context(), openapi.GetRegistrationRequest{
		RegistrationID: c.Param("registration_id"),
	})
	return err
}

func rateOverrideOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetRateOverride(c.Request.Context(), openapi.GetRateOverrideRequest{
		RateOverrideID: c.Param("rate_override_id"),
	})
	return err
}

func physicalNexusOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetPhysicalNexus(c.Request.Context(), openapi.GetPhysicalNexusRequest{
		PhysicalNexusID: c.Param("physical_nexus_id"),
	})
	return err
}

func organizationOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetOrganization(c.Request.Context(), openapi.GetOrganizationRequest{
		OrganizationID: c.Param("organization_id"),
	})
	return err
}

// organizationOfHeader knows no organization but the one the request is about.
func organizationOfHeader(_ *Server, c *gin.Context) error {
	if c.Param("organization_id") != callOf(c.Request.Context()).scope.OrganizationID {
		return models.ErrNotFound
	}
	return nil
}

func transactionOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetTransaction(c.Request.Context(), openapi.GetTransactionRequest{
		TransactionID: c.Param("transaction_id"),
	})
	return err
}

func revisionOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetTransactionRevision(c.Request.Context(), openapi.GetTransactionRevisionRequest{
		TransactionID: c.Param("transaction_id"), Revision: c.Param("revision"),
	})
	return err
}

func creditNoteOfPath(s *Server, c *gin.Context) error {
	note, err := s.GetTransaction(c.Request.Context(), openapi.GetTransactionRequest{
		TransactionID: c.Param("credit_note_id"),
	})
	if err == nil && note.RelatedTo != c.Param("transaction_id") {
		return models.ErrNotFound
	}
	return err
}

func userOfPath(s *Server, c *gin.Context) error {
	ctx := c.Request.Context()
	_, err := s.deps.People.User(ctx, callOf(ctx).scope.OrganizationID, c.Param("user_id"))
	return err
}

func exceptionOfPath(s *Server, c *gin.Context) error {
	ctx := c.Request.Context()
	_, err := s.deps.Work.Exception(ctx, callOf(ctx).scope, c.Param("type"), c.Param("object_id"))
	return err
}

func eventOfPath(s *Server, c *gin.Context) error {
	ctx := c.Request.Context()
	_, err := s.eventOf(ctx, c.Param("event_id"))
	return err
}

func filingOfPath(s *Server, c *gin.Context) error {
	ctx := c.Request.Context()
	return s.deps.Reports.FilingExists(ctx, callOf(ctx).scope, c.Param("filing_id"))
}

func webhookEndpointOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetWebhookEndpoint(c.Request.Context(), openapi.GetWebhookEndpointRequest{
		WebhookEndpointID: c.Param("webhook_endpoint_id"),
	})
	return err
}

func transactionByExternalIDOfPath(s *Server, c *gin.Context) error {
	_, err := s.GetTransactionByExternalID(c.Request.Context(), openapi.GetTransactionByExternalIDRequest{
		ExternalID: c.Param("external_id"),
	})
	return err
}
