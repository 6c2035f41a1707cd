package api

import (
	"context"
	"errors"

	"levy/contract"
	"levy/internal/webhook"
	"levy/models"
)

// CreateWebhookEndpoint registers an address. The answer is the only place where its secret ever stands.
func (s *Server) CreateWebhookEndpoint(
	ctx context.Context, r contract.CreateWebhookEndpointRequest,
) (contract.WebhookEndpoint, error) {
	call, body := callOf(ctx), r.Body
	if err := s.acceptEndpoint(ctx, body.URL, body.IncludeClients); err != nil {
		return contract.WebhookEndpoint{}, err
	}
	record := models.WebhookEndpoint{
		ID: models.NewID(models.PrefixWebhook), URL: body.URL,
		Description: optional(body.Description), EnabledEvents: body.EnabledEvents,
		Status: models.WebhookEnabled, IncludeClients: body.IncludeClients, SignatureScheme: webhook.SchemeShared,
	}
	if body.Status != "" {
		record.SetStatus(models.WebhookStatus(body.Status), models.WebhookManual)
	}
	if body.SignatureScheme != "" {
		record.SignatureScheme = string(body.SignatureScheme)
	}
	secret, err := s.newWebhookSecret(ctx, record.ID, record.SignatureScheme)
	if err != nil {
		return contract.WebhookEndpoint{}, err
	}
	record.Secret, record.PublicKey = secret.Sealed, secret.PublicKey
	if err := s.deps.Webhooks.CreateWebhookEndpoint(ctx, call.scope, call.actor(), &record); err != nil {
		return contract.WebhookEndpoint{}, err
	}
	return withSecret(endpointAnswer(record), secret.Shown), nil
}

// acceptEndpoint refuses an address that leads nowhere or into a network that is not public, and include_clients
// of an organization without clients. Errors: *models.InvalidError, models.ErrUnavailable when the name of the host
// cannot be resolved now.
func (s *Server) acceptEndpoint(ctx context.Context, url string, clients bool) error {
	var faults []models.Fault
	if url != "" {
		err := s.deps.Addresses.CheckAddress(ctx, url)
		if refused, ok := errors.AsType[*webhook.RefusedError](err); ok {
			faults = append(faults, models.Fault{Code: models.FieldURLNotAllowed, Path: "url",
				Message: refused.Reason})
		} else if err != nil {
			return models.ErrUnavailable
		}
	}
	if faults = append(faults, clientsFaults(callOf(ctx), clients)...); len(faults) > 0 {
		return &models.InvalidError{Faults: faults}
	}
	return nil
}

// clientsFaults refuses include_clients of an organization without clients.
func clientsFaults(call *call, clients bool) []models.Fault {
	if !clients || call.principal.IsRoot() {
		return nil
	}
	return []models.Fault{{
		Code: models.FieldNotAllowed, Path: "include_clients", Message: "Only a root organization has clients.",
	}}
}

// newWebhookSecret makes the secret of an endpoint, and seals it as personal data are. It is shown for shared secrets
// only.
func (s *Server) newWebhookSecret(ctx context.Context, endpointID, scheme string) (models.WebhookSecret, error) {
	key, err := s.deps.Vault.KeyOrNew(ctx, callOf(ctx).scope.OrganizationID)
	if err != nil {
		return models.WebhookSecret{}, err
	}
	plain, public := webhook.NewSecret(scheme)
	secret := models.WebhookSecret{Scheme: scheme, Sealed: key.Seal(models.WebhookSecretField(endpointID), []byte(plain))}
	if public != "" {
		secret.PublicKey = &public
	} else {
		secret.Shown = plain
	}
	return secret, nil
}

// ListWebhookEndpoints lists endpoints.
func (s *Server) ListWebhookEndpoints(
	ctx context.Context, r contract.ListWebhookEndpointsRequest,
) (contract.WebhookEndpointList, error) {
	p := r.Params
	list, err := s.deps.Webhooks.ListWebhookEndpoints(ctx, callOf(ctx).scope, orderOf(p.OrderBy), pageOf(p.Page, p.Size))
	answer, err := listAnswer(list, err, p.Page, p.Size, endpointAnswer)
	return contract.WebhookEndpointList(answer), err
}

// GetWebhookEndpoint reads an endpoint.
func (s *Server) GetWebhookEndpoint(
	ctx context.Context, r contract.GetWebhookEndpointRequest,
) (contract.WebhookEndpoint, error) {
	record, err := s.deps.Webhooks.WebhookEndpoint(ctx, callOf(ctx).scope, r.WebhookEndpointID)
	return endpointAnswer(record), err
}

// UpdateWebhookEndpoint changes an endpoint.
func (s *Server) UpdateWebhookEndpoint(
	ctx context.Context, r contract.UpdateWebhookEndpointRequest,
) (contract.WebhookEndpoint, error) {
	call, body := callOf(ctx), r.Body
	if _, err := s.deps.Webhooks.WebhookEndpoint(ctx, call.scope, r.WebhookEndpointID); err != nil {
		return contract.WebhookEndpoint{}, err
	}
	clients := false
	change(&clients, body.IncludeClients, false)
	if err := s.acceptEndpoint(ctx, body.URL, clients); err != nil {
		return contract.WebhookEndpoint{}, err
	}
	record, err := s.deps.Webhooks.UpdateWebhookEndpoint(
		ctx, call.scope, call.actor(), r.WebhookEndpointID, func(w *models.WebhookEndpoint) {
			if body.URL != "" {
				w.URL = body.URL
			}
			change(&w.EnabledEvents, body.EnabledEvents, []string{"*"})
			status := contract.WebhookEndpointStatus(w.Status)
			change(&status, body.Status, contract.WebhookEndpointStatusENABLED)
			w.SetStatus(models.WebhookStatus(status), models.WebhookManual)
			changeOptional(&w.Description, body.Description)
			change(&w.IncludeClients, body.IncludeClients, false)
		})
	return endpointAnswer(record), err
}

// DeleteWebhookEndpoint deletes an endpoint.
func (s *Server) DeleteWebhookEndpoint(ctx context.Context, r contract.DeleteWebhookEndpointRequest) error {
	call := callOf(ctx)
	return s.deps.Webhooks.DeleteWebhookEndpoint(ctx, call.scope, call.actor(), r.WebhookEndpointID)
}

// RotateWebhookSecret replaces the secret of an endpoint.
func (s *Server) RotateWebhookSecret(
	ctx context.Context, r contract.RotateWebhookSecretRequest,
) (contract.WebhookEndpoint, error) {
	call := callOf(ctx)
	record, err := s.deps.Webhooks.WebhookEndpoint(ctx, call.scope, r.WebhookEndpointID)
	if err != nil {
		return contract.WebhookEndpoint{}, err
	}
	secret, err := s.newWebhookSecret(ctx, record.ID, record.SignatureScheme)
	if err != nil {
		return contract.WebhookEndpoint{}, err
	}
	record, err = s.deps.Webhooks.RotateWebhookSecret(ctx, call.scope, call.actor(), record.ID, secret)
	if err != nil {
		return contract.WebhookEndpoint{}, err
	}
	return withSecret(endpointAnswer(record), secret.Shown), nil
}

// withSecret is the only answer that shows a secret.
func withSecret(answer contract.WebhookEndpoint, secret string) contract.WebhookEndpoint {
	answer.Secret, answer.SecretAvailable = secret, secret != ""
	return answer
}

func endpointAnswer(w models.WebhookEndpoint) contract.WebhookEndpoint {
	return contract.WebhookEndpoint{
		ID: w.ID, OrganizationID: w.OrganizationID, URL: w.URL,
		Description: w.Description, EnabledEvents: notNil(w.EnabledEvents),
		Status: contract.WebhookEndpointStatus(w.Status), DisabledReason: w.DisabledReason,
		IncludeClients:  w.IncludeClients,
		SignatureScheme: contract.WebhookSignatureScheme(w.SignatureScheme), PublicKey: valueOf(w.PublicKey),
		CreatedAt: instant(w.CreatedAt), UpdatedAt: instant(w.UpdatedAt),
	}
}
