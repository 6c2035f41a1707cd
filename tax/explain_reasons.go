package tax

import "levy/tax/money"

// classNouns are the classes as sentences name them.
var classNouns = [numClasses]string{
	keyPhysical: "goods", keyClothing: "clothing", keyClothingChild: "children's clothing", keyFood: "food",
	keyPreparedFood: "prepared food", keyDrugsRx: "prescription drugs", keyBook: "books", keyDigital: "digital goods",
	keySoftwareDownload: "downloaded software", keySaaS: "software as a service", keyService: "services",
	keyShipping: "shipping",
	keyCandy:    "candy", keySoftDrink: "soft drinks", keyBottledWater: "bottled water",
	keySupplement: "dietary supplements", keyDrugsOTC: "drugs sold without prescription",
	keyMedicalDevice: "medical devices", keyFeminineHygiene: "feminine hygiene products", keyDiaper: "diapers",
	keyNewspaper: "newspapers", keyPeriodical: "periodicals", keyAlcohol: "alcoholic drinks",
	keyTobacco: "tobacco and vapour products", keyCannabis: "cannabis", keyRentalGoods: "rental of goods",
	keyEBook: "e-books", keyAudioVideo: "downloaded audio and video", keyStreaming: "streamed audio and video",
	keyDigitalNews: "digital newspapers", keySaaSB2B: "software as a service for businesses",
	keySaaSB2C: "software as a service for consumers", keyIaaS: "infrastructure as a service",
	keySoftwareCustom: "custom software", keyDataProcessing: "data processing", keyRepair: "repair of goods",
	keyInstallation: "installation of goods", keyMaintenance: "maintenance contracts",
	keyLandscaping: "landscaping", keyCleaning: "cleaning of buildings", keyConstruction: "construction labour",
	keySecurity: "security services", keyAdvertising: "advertising", keyProfessional: "professional services",
	keyMedical: "medical services", keyPersonalCare: "personal care", keyFitness: "fitness and sports facilities",
	keyEducation: "education", keyAdmission: "admissions", keyTelecom: "telecommunication", keyLodging: "lodging",
	keyRentalVehicle: "rental of vehicles", keyUtility: "utilities", keyGratuity: "mandatory gratuities",
	keyHandling:          "handling",
	keyMotorVehicle:      "motor vehicles",
	keyMotorFuel:         "motor fuel",
	keyPetFood:           "pet food",
	keyClothingAccessory: "clothing accessories",
	keySportsClothing:    "sports clothing",
	keyFurClothing:       "fur clothing",
	keyProsthetic:        "prosthetic devices",
	keyEyeglasses:        "corrective eyeglasses",
	keyHearingAid:        "hearing aids",
	keyMobilityAid:       "mobility aids",
	keyInsulin:           "insulin",
	keyVeterinaryDrug:    "drugs for animals",
	keyAdultDiaper:       "incontinence products",
	keyBullion:           "coins and bullion",
	keyBeer:              "beer",
	keyWine:              "wine",
	keySpirits:           "spirits",
	keyCigarette:         "cigarettes",
	keyCigar:             "cigars",
	keyVapour:            "vapour products",
	keySoftwareSupport:   "software maintenance",
	keyDigitalCourse:     "recorded courses",
	keyOnlineGame:        "online games",
	keyWebHosting:        "web hosting",
	keyWebDesign:         "web design",
	keyITSupport:         "computer support",
	keyInformation:       "information services",
	keyInternetAccess:    "internet access",
	keyPrepaidPhone:      "prepaid telephone service",
	keyPayTV:             "pay television",
	keyLodgingLong:       "long stays",
	keyCampground:        "campgrounds",
	keyHomeEnergy:        "electricity and gas for homes",
	keyHeatingFuel:       "heating fuel for homes",
	keyWaterSupply:       "piped water",
	keyParking:           "parking",
	keyTowing:            "towing",
	keyCarWash:           "car washes",
	keyLaundry:           "laundry and dry cleaning",
	keyPestControl:       "pest control",
	keyPhotography:       "photography",
	keyStaffing:          "staffing",
	keyVeterinary:        "veterinary services",
	keyPetCare:           "care of pets",
	keySelfStorage:       "storage space",
	keyMoving:            "moving of households",
	keyTanning:           "tanning",
	keyMassage:           "massage",
	keyTattoo:            "tattoos and piercings",
	keyWaste:             "removal of waste",
	keyInteriorDesign:    "interior design",
	keySnowRemoval:       "removal of snow",
	keyPoolCleaning:      "cleaning of pools",
	keyEventPlanning:     "planning of events",
	keyCreditReport:      "credit reports",
	keyDebtCollection:    "collection of debts",
	keyPhoneAnswering:    "answering of calls",
	keyLimousine:         "rides with a driver",
	keyChildCare:         "child care",
	keyFuneral:           "funeral services",
	keyLegal:             "legal services",
	keyAccounting:        "accounting",
	keyEngineering:       "engineering",
	keyConsulting:        "consulting",
}

// sayReasons gives the reasons of bases and rates that are not the general ones of the state.
// Limits are in US dollars.
func (k *calculation) sayReasons(s *sentences, w *work) {
	if w.law == nil {
		return
	}
	k.sayTreatment(s, w)
	if w.deliveredOver != nil {
		s.say(" With its delivery an item costs more than ", w.deliveredOver.name, " frees.")
	}
	shares := k.sharesOf(w)
	for i := range k.state.rules {
		r := &k.state.rules[i]
		for j := range shares {
			if sh := &shares[j]; sh.source != &r.source || sh.exempt && r.kind != ruleLocalSumCap {
				continue
			}
			k.sayRule(s, r)
			break
		}
	}
}

// sayTreatment tells how the state treats the class of a line that is taxed.
func (k *calculation) sayTreatment(s *sentences, w *work) {
	if w.law.plain {
		return
	}
	t, state, noun := w.law, k.where(), classNouns[w.class]
	limit := money.AppendCents(nil, t.threshold)
	stateTaxes := false
	for _, sh := range k.sharesOf(w) {
		stateTaxes = stateTaxes || !sh.exempt && sh.jurisdiction == k.state.jurisdiction
	}
	switch {
	case w.likeItems:
		s.say(" It is taxed like what it delivers.")
	case t.mode == thresholdExcessOnly:
		s.say(" In ", state, " ", noun, " up to ", string(limit), " USD an item is exempt, the part above it is taxed.")
	case t.mode == thresholdBelowExempt && stateTaxes:
		s.say(
			" In ", state, " ", noun, " below ", string(limit),
			" USD an item is exempt, from there on the whole price is taxed.",
		)
	case t.mode == thresholdBelowExempt:
		s.say(
			" ", capital(state), " exempts ", noun, " below ", string(limit),
			" USD an item from its own tax; local taxes remain.",
		)
	case t.mode == thresholdAboveFullAt && w.item.compare(k.limit(t.threshold, dollars)) > 0:
		s.say(" ", capital(state), " taxes ", noun, " above ", string(limit), " USD an item at ")
		s.text = money.AppendPercent(s.text, t.aboveRate)
		s.say(".")
	case t.basePercent != 100:
		s.say(" ", capital(state), " taxes ")
		s.text = appendInt(s.text, t.basePercent)
		s.say(" % of ", noun, ".")
	case t.hasRate && t.rate != 0 && stateTaxes:
		k.sayOwnRate(s, t, noun)
	case t.treatment == treatExempt && !stateTaxes, t.treatment == treatReduced && t.rate == 0:
		s.say(" ", capital(state), " takes no tax of its own on ", noun, "; local taxes remain.")
	}
}

// sayOwnRate tells a rate of the state for a class that is not its general one.
func (k *calculation) sayOwnRate(s *sentences, t *taxability, noun string) {
	general, _ := k.rateOfKey(k.state.jurisdiction, keyAny)
	if general == nil || t.rate == general.nano {
		return
	}
	kind := "a reduced"
	if t.rate > general.nano {
		kind = "a higher"
	}
	s.say(" ", capital(k.where()), " taxes ", noun, " at ", kind, " rate of ")
	s.text = money.AppendPercent(s.text, t.rate)
	s.say(".")
}

func (k *calculation) sayRule(s *sentences, r *localRule) {
	switch r.kind {
	case ruleLocalBaseCap:
		s.say(" Local taxes are due on the first ", string(money.AppendCents(nil, r.amount)), " USD of an item.")
	case ruleLocalSumCap:
		s.say(" Local taxes together are limited to ")
		s.text = money.AppendPercent(s.text, r.rate)
		s.say(".")
	case ruleStateBand:
		s.say(" ", k.state.name, " adds ")
		s.text = money.AppendPercent(s.text, r.rate)
		s.say(" on the part of an item from ", string(money.AppendCents(nil, r.amount)), " to ",
			string(money.AppendCents(nil, r.amountTo)), " USD.")
	case ruleLocalExemptIn:
	}
}

// freedBelow is why an item is free that costs less than a threshold.
func (k *calculation) freedBelow(w *work) string {
	word := " below "
	if w.law.mode == thresholdExcessOnly {
		word = " up to "
	}
	return classNouns[w.class] + word + string(money.AppendCents(nil, w.law.threshold)) + " USD an item is exempt in " +
		k.where()
}
