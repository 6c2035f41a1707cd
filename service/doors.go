package service

import (
	"levy/service/internal/call"
	"levy/service/internal/deps"
	"levy/service/internal/feed"
	"levy/service/internal/filings"
	"levy/service/internal/onboarding"
	"levy/service/internal/output"
	"levy/service/internal/people"
	"levy/service/internal/transactions"
)

// These types of the packages below service are for doors and cmd, which cannot import those packages.
type (
	Deps             = deps.Deps
	APIKeys          = deps.APIKeys
	Consents         = deps.Consents
	Customers        = deps.Customers
	Dispatcher       = deps.Dispatcher
	Idempotency      = deps.Idempotency
	IdentityProvider = deps.IdentityProvider
	Intake           = deps.Intake
	Onboardings      = deps.Onboardings
	OnboardingLinks  = deps.OnboardingLinks
	Organizations    = deps.Organizations
	People           = deps.People
	Principals       = deps.Principals
	Products         = deps.Products
	Steps            = deps.Steps
	Transactions     = deps.Transactions
	Work             = deps.Work

	Outcome          = call.Outcome
	PartWriter       = call.PartWriter
	StreamTimes      = output.StreamTimes
	ImportRows       = transactions.ImportRows
	EventAnswers     = feed.EventAnswers
	ReturnFiles      = filings.ReturnFiles
	ProviderSignIn   = people.ProviderSignIn
	ProviderCallback = people.ProviderCallback
)

const (
	ExportPiece          = output.ExportPiece
	OnboardingLinkPath   = onboarding.LinkPath
	CalendarFeedPath     = people.FeedPath
	ConnectionsPath      = people.ConnectionsPath
	ProviderPath         = people.ProviderPath
	ProviderStartPath    = people.ProviderStartPath
	ProviderCallbackPath = people.ProviderCallbackPath
	ProviderTime         = people.ProviderTime
	SignInPath           = people.SignInPath
)

var (
	NewEventAnswers = feed.NewEventAnswers
	NewReturnFiles  = filings.NewReturnFiles
	LinkHash        = people.LinkHash
	OnboardingHash  = onboarding.LinkHash
	SessionHashes   = people.SessionHashes

	PasskeysUnavailable = people.PasskeysUnavailable
)
