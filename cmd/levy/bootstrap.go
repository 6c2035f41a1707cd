package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/organizations"
)

type bootstrapCmd struct {
	liveOrTest

	Name string `name:"name" default:"First partner" help:"Name of the first partner organization."`
}

// Run creates the first partner organization with its key and an operator key, and
// prints them: the only time that they are shown.
func (c bootstrapCmd) Run(p *program) error {
	if err := errors.Join(p.config.validate(needDatabase, needMasterKeys), c.check()); err != nil {
		return err
	}
	s, hasher, err := openForKeys(p.ctx, p.config)
	if err != nil {
		return err
	}
	defer s.Close()
	made, err := s.Organizations.Bootstrap(p.ctx, hasher, staff(), c.Name, c.Test)
	if err != nil {
		return err
	}
	if !made.Created() {
		return fmt.Errorf(
			"there is a first organization already (%s); its keys were shown when it was made. levy partner add makes another one",
			made.OrganizationID,
		)
	}
	return p.printJSON(credentialsOf(made))
}

// credentials are those of the first partner organization and of the operator.
type credentials struct {
	OrganizationID string `json:"organization_id"`
	APIKey         string `json:"api_key"`
	OperatorKey    string `json:"operator_key"`
}

func credentialsOf(made organizations.Bootstrapped) credentials {
	return credentials{made.OrganizationID, made.APIKey, made.OperatorKey}
}

// bootstrap returns credentials that work. Those of known that are still valid
// are returned as they are; what is missing, unknown or revoked is created. An
// organization that exists is kept, only its key is made anew.
func bootstrap(ctx context.Context, cfg Config, known credentials) (credentials, error) {
	s, hasher, err := openForKeys(ctx, cfg)
	if err != nil {
		return credentials{}, err
	}
	defer s.Close()
	made, err := s.Organizations.Bootstrap(ctx, hasher, staff(), "Development partner", true)
	if err != nil || made.Created() {
		return credentialsOf(made), err
	}
	current := credentials{OrganizationID: made.OrganizationID, APIKey: known.APIKey, OperatorKey: known.OperatorKey}
	principal, err := s.Organizations.FindPrincipal(ctx, hasher.Hashes(known.APIKey))
	if err != nil && !errors.Is(err, models.ErrNotFound) {
		return credentials{}, err
	}
	if err != nil || principal.OrganizationID != made.OrganizationID {
		scope := models.Scope{OrganizationID: made.OrganizationID}
		owner, err := s.Organizations.Organization(ctx, scope)
		if err != nil {
			return credentials{}, err
		}
		kind := secret.KindLive
		if owner.IsTest {
			kind = secret.KindTest
		}
		current.APIKey = secret.NewAPIKey(kind)
		prefix, last4 := secret.Shown(current.APIKey)
		name := "levy dev"
		err = s.Organizations.CreateAPIKey(ctx, scope, staff(), &models.APIKey{
			OrganizationID: made.OrganizationID, ID: models.NewID(models.PrefixAPIKey), Name: &name,
			Hash: hasher.Hash(current.APIKey), Prefix: prefix, Last4: last4,
		})
		if err != nil {
			return credentials{}, err
		}
	}
	id, err := s.Organizations.FindOperatorKey(ctx, hasher.Hashes(known.OperatorKey))
	if err != nil && !errors.Is(err, models.ErrNotFound) {
		return credentials{}, err
	}
	operator := organizations.NewOperator{Name: cmp.Or(staff().Staff, models.UnnamedStaff)}
	if err == nil { // it may be from before operators had names
		operator.PublicKey, _ = secret.PublicProofKey(known.OperatorKey)
		return current, s.Organizations.NameOperator(ctx, id, operator)
	}
	current.OperatorKey = secret.NewAPIKey(secret.KindOperator)
	operator.Hash = hasher.Hash(current.OperatorKey)
	operator.PublicKey, _ = secret.PublicProofKey(current.OperatorKey)
	_, err = s.Organizations.CreateOperator(ctx, staff(), operator)
	return current, err
}

// openForKeys opens the database for a command that makes keys. It records the master keys first. From then on no process
// starts with another key under one of their ids, which would answer 401 to the keys of the command.
func openForKeys(ctx context.Context, cfg Config) (*store.Store, *secret.KeyHasher, error) {
	ring, err := cfg.ring()
	if err != nil {
		return nil, nil, err
	}
	s, err := openStore(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	err = checkKeys(ctx, s)
	if err == nil {
		err = s.MasterKeys.Check(ctx, ring)
	}
	// guard: master keys: a command that makes keys records those that hash them
	if err == nil {
		err = s.MasterKeys.Register(ctx, ring)
	}
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return s, secret.NewKeyHasher(ring), nil
}
