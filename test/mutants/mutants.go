package main

import "slices"

// mutants are the guards that stand in statements and in code, each where its marker is. Those of the schema are
// dropped by the tests of their packages.
var mutants = slices.Concat(mutantsOfAccess, mutantsOfReturns, mutantsOfTax, mutantsOfVAT, mutantsOfWork)
