// Made by scripts/build_false_friends.ts from GloVe's vectors (see NOTICE).

/** Groups of English words whose first word is their index term. Their stems are those of words with another meaning. */
export const FALSE_FRIENDS = `
abatement, abdication abdicated abdicate abdicating, abell, abidal, abortion abortions, absolutely absolute,
absolution absolutism, absorbent, accession, accommodative, accountability accountable accountant accountants
accountancy, accusative, acrobatic acrobatics, actionable, active actively activated activism activation activate
activating activates activator, adamant adamantly, adaptive adaptable adaptability, addie, addy, adele, admiral
admirals, adventurism, adversity, affections affection, affine, ajaye, albie, alexy, alexie, alienated alienating
alienation alienate, allowance allowances allowable, alone, alternation, amare, amaury, ambitions ambition, amenities
amenity, amenable, amide, analogy analogous analogies, anarchic, andy andie, angeli angelis, angell, angelic, animated
animation anime animator animators animations animate animating, annie, antony, apartment apartments, appellate
appellant appellants, appellation appellations, appendicitis, appreciable appreciably, appropriations appropriation,
approximation approximations, arboreal, argumentative, argyll, ariane, arlene, armorial, artie, arty, articulation,
aspirated, assailants assailant, assertive assertiveness, assistant assistants, associated associate associates
associating, associative, asterism, astride, athlone, atlante, atonal, attendants attendant, audition auditions
auditioned auditioning, austerity austere, authentication, authorities authority, authorized authorization authorize
authorizing authorizes authorizations, axing, bache, bailly, bakrie, baptiste, barone, barre, barry barrie, bashful,
basie, battie, beane, bedie, beene, believable, belmonte, benny bennie, bente, berke, besse, bethe, bethanie, bette,
betty bettie, blaine, boastful, bobby, bogdanovic, bony, bonne, boone, boothe, booze, bossy, bourne, brazill, brazile,
briere, brodie, broome, brulee, brunell, burdette, burry, caine, candidate candidates, cantonment, capitalism,
capitalize capitalized capitalizing, capitalisation, captivated captivating captivate, carbone, cardenal, cardinals
cardinal, cardinality, carefully careful, carnations carnation, carre, carriere, casale, categorized categorize
categorization categorizing categorizes, cecile, celebre, celestine, celle, centrality, cesare, chafee,
characteristically, chery, childe, chilly, christie christy, christiane, circe, circuitous, clary, clemence, clemente,
coale, coby, cochrane, colle, collings, collapsible, collective collectively collectives, collette, collie,
colonization colonized colonize colonizers colonizing, combative, commandments commandment, commentator commentators
commentating, commutation commutative, compaction, competent competence competency competencies competently
competences, complainant complainants, complicity, conceivable conceivably, concentrate concentrated concentrating
concentrates, concentric, concerted, concordance, conditions condition conditioning conditional conditioned
conditionally, conductivity conduction conductive conductance, confederate confederates, conference conferences,
confidence confident confidently, conformation conformal conformational, congeniality, conjugal, conservative
conservatives conservatively, considerate, consistent consistently consistency, consolation, constructive
constructively, consultations consultation consultative, containment, contention contentions, contentment, contraction
contractions, conventions convention, conventional conventionally, convergence convergent, conversation conversations
conversational conversant, conversion conversions, conveyance, cooperation cooperate cooperative cooperating
cooperated cooperatives cooperates cooperatively cooperations, coote, corby, corell, cory, cornelis, coronation,
coronal, corporal, corporeal, correctional, correll, correspondent correspondents, corry, cosy, crabbe, creditable,
critical critically, crosbie, crystallized crystallize crystallizes, curative, customers customer, customized
customize customization customizing, cyrillic, daly, damme, dany, darcy, davide, dayne, deane, deby, decadent
decadence, decimal, declarative, declination, decompression, decorated decorative decoration decorations decorating
decorate decorator decorators decorates, defection defections, defendants defendant, definition definitions,
definitive definitively, deflation, deformation, degenerated degenerate degenerating, degeneration, delanoe,
deliberations deliberation, delicate delicately, demonize demonized demonizing demonization, demonstrably
demonstrable, demonstrative, demure, departments department, dependable dependability, dereliction, desertion
desertions, designated designation designate designations designating designator designates, desirable desirability,
detachable, detective detectives, detente, determinism, devine, dewy, dexterity, diane, dictation, differentiate
differentiation differentiated differentiating differentiates, diminution, directive directives, directorial,
disablement, discernment, discontinuous discontinuity, discordant, discrete, disparate, disposable, disreputable,
dissociate dissociated, dissolute, distasteful, distillate distillates, diversion diversions, divisive divisiveness,
divisible, divisione, doane, doby, doctorate doctoral doctorates, domaine, domesticated domestication, domesticity,
dominic, domineering, dory, dotty, dramatically, duane, dungeness, dunne, duplicity, durante, durie, dury, dutifully
dutiful, duvall, earful, ebbe, ecclestone, elie, eliane, elke, ellie elly, elongation, emanuele, emergency
emergencies, eminent eminence eminently, emory, empirical empirically, endurance, entitlement entitlements, equalizer
equalized equalize equalizing, equation equations, erie, ervine, escapism, escapement, esche, estimable, ethereal,
evasive, eventuality, excellency, exceptional exceptionally, excision, exclusion exclusions, executive executives,
executable, exhaustive exhaustively, existence existent, expectancy expectant expectancies, expectable, expedition
expeditions, expendable, experiments experiment experimenting experimented, extremism, extremity extremities, eying,
fabricated fabrication fabricating fabrications fabricate, fabrice, facile, factorial, familiarize, faroe, fatalism,
favoritism, federal federally federalism federals federalized, federation federations federated, felice, fennell,
fertility fertilization, fertilisation, fidelis, fidelity, filipe, fitful fitfully, fixation, follette, forde,
forgetful forgetfulness, formation formations formative, formulaic, forrestal, forte, fosse, francie, francke,
frontale, fundamentalism, furtherance, futurity, futurism, galvanized galvanize galvanizing, garde, gary, gaudy, gaye,
generalities generality, genetic genetically genetics, georgie, germaine, germane, gigli, gigante, gillette, ginnie,
goby, gordie, governess, grahame, granny, grassy, grateful gratefully, gravitate gravitated gravitating, grothe,
gwynne, habitation habitable, hagee, hajime, handful handfuls, hanke, hardwicke, harmonic harmonics, harmonize
harmonization harmonized harmonizing, hasse, hauge, haveli, hawthorne, hearne, heene, heine, heinze, hendrie, henke,
heraldic, heroine, heroines, hesse, hilarious hilariously, hilly, historicity, hoare, hollings, horie, horizonte,
hospitality hospitable, hoyte, hustings, hutchings, hyatte, hydrogenated, hyperbole, hypnotized, idealism idealized,
ignorance ignorant, illegible, immaturity, impassioned impassively impassive, impedance, imperfections imperfection,
impersonating impersonation impersonator impersonate impersonated impersonators impersonations, implicated implicating
implicate implicates, important importance importantly, impregnable, impressionable, inaction inactivity, incidence
incidences, incisive, incurable, indicated indicate indication indicates indicating indicators indications indicator
indicative, individuality individualism, inducements inducement, inductance, industrious, industrialisation, infante,
infidelity infidelities, inflammable, inflatable, informal informally informality, inglis, ingenue, initiative
initiatives initiated initiate initiating initiates initiator initiators, injective, injurious, inquisitive,
installment installments instalment instalments, instructive, integrable, intelligible, intendant, interment,
internationally international internationals, internal internally, internment, internationalism, internalized,
interpolation interpolated, intimations, invariant invariants invariance, invitational, ironically ironic, irvine,
iteration iterations iterative iterated, ivanovic, jacoby, jacqueline, jamie, janne, jardine, jasmine, jaye, jeane,
jelle, jennings, jerry, jesse, jessy, jimy, jody jodie, johnstone, joly, july, kahane, kahne, kaine, kandy, kartli,
katie katy, keane, kempe, kerry, kingdome, kirke, kleine, kohli, kony, lacy, laine, lamy, lamine, laminitis, lampe,
landy, lapine, lasse, lateral laterally, laurie, lavine, layne, lazare, leanne, leche, leonie, leste, levante,
levitte, lewy, libby, liberal liberals liberalism liberally, liberalization liberalize liberalizing liberalized,
libere, ligety, lilly, litany, literally literal, literate, livingstone, locality localities localized localize,
localization, locomotion, loewe, lombardy, lonny, lotte, luby, luxuriant, mache, machinations, madeline, magee,
maggie, majority majorities, malachy, malignant malignancy malignancies, manageable, mange, many, marcie, mardy,
marge, marginalized marginalization marginalize, mary marie marys, mariane, marianne, mariners mariner, marital,
markovic, marte, martell, martelly, marty, martine, marvell, mattingly, materialize materialized materializes,
materialism, matty, mattie, maury, maxie, maximize maximizing maximized maximizes, maxime, mayne, mcdougall, meche,
mechanized mechanization, melee, mendy, mentality, mercurial, messy, methodically methodical, methodism, miceli,
michaelis, micheline, militarism militarization, militarized, millie milly, miniaturization, minimalism, minority
minorities, miserable miserably miserables, mitte, mobilized mobilize mobilization mobilizing mobilizes, monde, monge,
monroe, montgomerie, monty, moodie, morales, morale, morell, morphine, morrie, mortality, moshe, motivational, mouse,
mundy, musee, nady, nadie, nancy, nary, nationals national nationally, nationality nationalism nationalities,
nationalized nationalization nationalize nationalizing, nativity, naturalization naturalized, neelie, negative
negatively negatives negativity, negligible, nellie nelly, neutralize neutralized neutralizing neutralization,
newcombe, nicholls nicholl, nicky, nicole, nicoll, nobile, nocturne, nominal nominally nominative, nonfatal, noone,
novell, novy, numerical numerals numeric numerically numeral, objective objectives objectivity objectively, objections
objection, observance observant observances, observable, occupants occupancy occupant, officer officers, olly,
operations operation operating operated operate operates operator operational operators operationally, operatives
operative, operable, opportunism, opposition oppositions oppositional, optimal optimization optimize optimized
optimizing optimally, ordinal, ordinator ordinated ordinate, organization organizations organized organizers
organizing organize organizer organizes, organic organisms organism organically organics, orientation orientations,
origination, ovate, overeating, overseer overseers, pacification pacifism, palatable, parcells, parting, partiality,
pascale, pascoe, paste, pasted, pasting, pasteurized pasteurization, pastore, patently, paternalism, pathetic
pathetically, patrice, patriotic patriotism, patronizing patronized patronize, paulie, pauly, pavlovic, payne, peale,
peete, pelle, penitence, penne, perce, perceptive, periodically periodic periodicals periodical, perishable, perle,
perry, perrine, personal personally personality personalities personalized personable personalize personalization
personals, petitions petition petitioned petitioning, petkovic, petrie, petty, phillipe, pirie, pistole, plasticity,
platte, polarized polarization polarizing polarity polarize, polite politely politeness, pollination pollinators
pollinated pollinate, ponderous, popovic, populism, position positions positioned positioning positional, positive
positively positives positivity, posterity, powe, precedent precedence precedents, predictive predictability,
premiere, premiered, premieres, premiering, prescriptive, presentable, prevalent prevalence, principality
principalities, principe, prinze, probability probabilities, probate, processions procession, prodigious, professions
profession, profusion, programmable, prohibitive prohibitively, projections projection, projective, pronouncements
pronouncement, providence provident, publicity publicized publicize publicizing, pulverized, punctuation, quine,
quite, radical radicals radically radicalism radicalized radicalization, rahall, ramli, randy, rapturous, rationality
rational rationally rationalism, rationalize rationalization rationalized rationalizing, ravenous, rawlings, rayne,
receivables receivable, recession recessions, recessive, recognizance, recreation recreational recreations, refinance,
reformation, regression, regressive, regularity, reiterated reiterating reiterate reiterates reiteration, relations
relation, relatively relatives relative, relatable, releasable, remarkable remarkably, renee, renewable renewables,
repellent repellents, reprisals reprisal, requisitioned requisition, reservations reservation, resistive resistivity,
resolute resolutely, respectively respective, respectable respectability, responsible responsibility responsibilities
responsive responsibly responsiveness, restful, resultant, retardant, revelations revelation, ricky rickie, rolfe,
romaine, romanized, romanization, rony, ronny, rosy, rudy, ruminants, runge, sabine, sadie, safire, sallie, samy,
sammy, sandy sandys, sandline, sany, sanitized sanitize, sary, sasae, satie, schalke, schulze, secretion secretions,
secretarial, securitate, segmental, seine, selective selectively selectivity, seminal, seniority, sensibility
sensibilities, sensitize sensitized sensitization, sentimental sentimentality, serviceable, several, severity,
severance, severine, sherry, sikorsky, silke, simeone, sione, situation situations situational, societal, sodomized
sodomizing, soltys, sony, sorrell, soule, spiteful, stange, stary, stately, steele, stefanie, steffy, stimulant
stimulants, stolle, strange strangely strangeness, stressful, submissive, subsidized subsidize subsidizing subsidizes,
succession successive successively, sundae, sunny, superstation, suspense suspenseful, suzanne, suzie, taube, tempe,
temperate, temperance, temperaments temperament, tempore, terminated termination terminate terminating terminator
terminates terminations, tharpe, thiele, thorpe, thoughtful thoughtfully thoughtfulness, tidings, tiene, tilly,
tillie, timidity, titanic, tolerance tolerate tolerated tolerant tolerating tolerates toleration tolerances,
tolerable, tommy, torry, torte, tracy, tranquilizer tranquilizers, transition transitional transitions transitioned
transitioning, transitive, translational, transmissible, tribalism, tribune, trippy, tulle, tyndale, tyree, udall,
unaccountable, unbelievers, unforgivable, unimaginative, units, unitals unital, university universities universiti,
universal universally universality universalism, unknowable, unmovic, unrealized, unrelenting, uralic, urbane,
usability, utilized utilize utilizing utilizes, utterances utterance, vacations vacation vacationing vacationed,
vaile, valerie, vangelis, vegetative, venereal, vengeful, verdy, verite, verne, vertebral, vickie, virtualization,
visitation visitations, viviane, wally, wendell, willful willfully, winding, windings, winstone, witnesses witness
witnessed witnessing, witte, wolde, woodforde, worshipful, wrongful wrongfully, wyly, wynne, yonge, yorke
`;
