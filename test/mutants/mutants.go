package main

import "slices"

// mutants are the guards that stand in statements and in code, each where its marker is. Those of the schema are
// dropped by the tests of their packages.
var mutants = slices.Concat(
	mutantsOfAccess, mutantsOfClients, mutantsOfFilings, mutantsOfLedger, mutantsOfPeople, mutantsOfRefunds, mutantsOfReturns,
	mutantsOfSecrets, mutantsOfStreamlined, mutantsOfTax, mutantsOfTeamwork, mutantsOfVAT, mutantsOfWork,
)
