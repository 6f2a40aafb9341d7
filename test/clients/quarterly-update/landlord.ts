/** The made-up landlord of the year: sources, and one rules file for the statements of both banks. */

export const ACACIA = '12 Acacia Avenue';
export const MILL_LANE = 'Flat 3, Mill Lane';
export const STATION_ROAD = '27 Station Road';
export const HARBOUR = 'Harbour Cottage';
export const WEB_DESIGN = 'Web design';

export const SOURCES = [
  { name: ACACIA, type: 'uk-property', sharePercent: 100 },
  { name: MILL_LANE, type: 'uk-property', sharePercent: 100 },
  { name: STATION_ROAD, type: 'uk-property', sharePercent: 100 },
  { name: HARBOUR, type: 'uk-property', sharePercent: 50 },
  { name: WEB_DESIGN, type: 'self-employment', sharePercent: 100 },
] as const;

/** The first rule that matches decides, so that narrower ones stand first. */
export const RULES = `
# Own money, in both directions
description contains "SAVINGS"                   -> leave out    # also Starling's space
description contains "MILL LANE BAKERY"          -> leave out

# Barclays
description starts with "MILL LANE MANAGEMENT"   -> "Flat 3, Mill Lane" / split: premisesRunningCosts 70.00, costOfServices 25.00
description contains "FLAT 3 MILL LANE" and type is expense -> Flat 3, Mill Lane / refund of periodAmount
description contains "flat 3 mill lane"          -> Flat 3, Mill Lane / periodAmount
description contains "RENT 12 ACACIA"            -> 12 Acacia Avenue / periodAmount
description starts with "HUNTERS LETTINGS"       -> 27 Station Road / split: expense professionalFees 12 % of gross incl. VAT, rest income periodAmount
description contains "NATIONWIDE MORTGAGE 4471"  -> 12 Acacia Avenue / split: residentialFinancialCost 412.50, rest leave out
description contains "HALIFAX MORTGAGE 9902"     -> "Flat 3, Mill Lane" / split: rest leave out, residentialFinancialCost 301.77
description contains "AVIVA" and description contains "POLICY 12A" -> 12 Acacia Avenue / premisesRunningCosts
description contains "AVIVA"                     -> Flat 3, Mill Lane / premisesRunningCosts
description contains "BOILERCO" and type is income -> 12 Acacia Avenue / refund of repairsAndMaintenance
description contains "BOILERCO"                  -> 12 Acacia Avenue / repairsAndMaintenance
description contains "HANDYMAN" and amount under 150 -> 27 Station Road / repairsAndMaintenance
description contains "HANDYMAN" and amount over 149.99 -> 12 Acacia Avenue / repairsAndMaintenance
description contains "STANDING ORDER" and amount is 310.00 and type is income -> 27 Station Road / otherIncome
description contains "STATION CAR PARK"          -> 27 Station Road / travelCosts
description contains "COUNTER CREDIT"            -> 12 Acacia Avenue

# Harbour Cottage, by Starling
description contains "Trainline"                 -> HARBOUR  COTTAGE / travelCosts
description contains "NORTH LTD"                 -> Web design / turnover
description starts with "AWS"                    -> Web design / adminCosts
description contains "EE Limited"                -> Web design / split: adminCosts 60 % of payment, rest leave out
description contains "City Supplies" and type is income -> Web design / refund of costOfGoods
description contains "City Supplies"             -> Web design / split: adminCosts 12.50, rest costOfGoods
description contains "Interest"                  -> Web design / other
description contains "Post Office"               -> Web design

description contains "Harbour Cottage rent"      -> Harbour Cottage / Rent received
description contains "Roofer" and type is income -> Harbour Cottage / refund of repairsAndMaintenance
description contains "Roofer"                    -> Harbour Cottage / repairsAndMaintenance
description contains "Quay Builders"             -> Harbour Cottage / split: repairsAndMaintenance 45 % of payment, professionalFees 50, rest leave out
description contains "Cottage sundries"          -> Harbour Cottage

otherwise                                        -> leave out
`;
