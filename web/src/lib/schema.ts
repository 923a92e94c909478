// Made by `npm run types` from src/sixfold/server/responses.py; do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * View
         * @description A table as one seat sees it. ``legal``, ``previews``, ``earned`` and ``lines`` are for the seat in turn:
         *         the moves; what each adds to the six values, and the phase after it; what it would add without any limit;
         *         and, on a board, for each free cell and symbol the cells that it would score with.
         *         ``reach`` is how far a row of each player may go, ``totals`` the points of the rounds so far, ``starters`` the seat
         *         that begins each round. ``bonus``: the seat in turn is in a bonus turn. ``undo_why`` and ``take_back_why`` say why
         *         that is not possible; ``take_back`` is somebody's request to take a decision back.
         */
        View: {
            version: number;
            setup: components["schemas"]["SetupShown"];
            /** @enum {unknown} */
            stage: "between" | "open" | "over" | "playing";
            seats: components["schemas"]["SeatShown"][];
            seat: number | null;
            turn: number | null;
            round: number;
            starters: number[];
            commitment: string;
            turn_began: number;
            due: number | null;
            result: components["schemas"]["ResultShown"] | null;
            totals: number[] | null;
            position: (components["schemas"]["TravelPosition"] | components["schemas"]["CardsPosition"] | components["schemas"]["DicePosition"]) | null;
            order: number[] | null;
            legal: string[];
            previews: number[][];
            earned: number[][];
            lines: {
                [key: string]: {
                    [key: string]: string[];
                };
            };
            reach: number[];
            bonus: boolean;
            undo: boolean;
            undo_why: components["schemas"]["Sentence"] | null;
            take_back: components["schemas"]["TakeBackAsked"] | null;
            take_back_why: components["schemas"]["Sentence"] | null;
            last: components["schemas"]["EventShown"] | null;
        };
        /**
         * SetupShown
         * @description What was agreed; times in seconds.
         */
        SetupShown: {
            /** @enum {unknown} */
            game: "cards" | "dice" | "travel";
            players: number;
            options: {
                [key: string]: boolean | string;
            };
            rounds: number;
            /** @enum {unknown} */
            clock: "game" | "move" | "none";
            seconds: number;
            takeover: number | null;
            first: number | null;
            deputy: string;
            hints: boolean;
        };
        /**
         * SeatShown
         * @description A seat as everybody may know it.
         */
        SeatShown: {
            /** @enum {unknown} */
            kind: "bot" | "open" | "person";
            name: string;
            level: string;
            portrait: string;
            left: boolean;
            relieved: boolean;
            resigned: boolean;
            ready: boolean;
            time_left: number;
        };
        /**
         * ResultShown
         * @description The result by seat; ``points`` has a row for each round of a series.
         */
        ResultShown: {
            /** @enum {unknown} */
            why: "played" | "resigned" | "time";
            over_why: ("all_18" | "boxes_full" | "chips_home" | "no_room") | null;
            values: number[][];
            places: number[];
            points: number[][] | null;
            totals: number[] | null;
            winners: number[];
        };
        /**
         * TravelPosition
         * @description A position of the travel edition. ``unseen`` are the tiles in the bag and in racks that this seat cannot see.
         */
        TravelPosition: {
            /** @enum {unknown} */
            game: "travel";
            players: number;
            options: {
                [key: string]: boolean | string;
            };
            seen_by: number | null;
            /** @enum {unknown} */
            phase: "choose" | "deal" | "draw" | "over" | "place";
            turn: number;
            values: number[][];
            board: string[];
            racks: string[][];
            unseen: {
                [key: string]: number;
            };
            bag: number;
            bonus: number;
            placed: number;
            corner: string | null;
        };
        /**
         * CardsPosition
         * @description A position of the card game. ``unseen`` are the cards in the pile and in hands that this seat cannot see.
         */
        CardsPosition: {
            /** @enum {unknown} */
            game: "cards";
            players: number;
            options: {
                [key: string]: boolean | string;
            };
            seen_by: number | null;
            /** @enum {unknown} */
            phase: "choose" | "deal" | "draw" | "open" | "over" | "play";
            turn: number;
            values: number[][];
            hands: string[][];
            open: string[][];
            unseen: {
                [key: string]: number;
            };
            pile: number;
            discards: {
                [key: string]: number;
            };
            bonus: number;
        };
        /**
         * DicePosition
         * @description A position of the dice game.
         */
        DicePosition: {
            /** @enum {unknown} */
            game: "dice";
            players: number;
            options: {
                [key: string]: boolean | string;
            };
            seen_by: number | null;
            /** @enum {unknown} */
            phase: "decide" | "over" | "roll";
            turn: number;
            values: number[][];
            dice: string[][];
            rolls: number;
        };
        /**
         * Sentence
         * @description A key of the languages, and what fills the sentence.
         */
        Sentence: {
            key: string;
            words: {
                [key: string]: string;
            };
        };
        /**
         * TakeBackAsked
         * @description Who asks to take a decision back, and who has agreed.
         */
        TakeBackAsked: {
            seat: number;
            agreed: number[];
        };
        /**
         * EventShown
         * @description One event as a seat hears it. Of a move: ``gained`` is what it added to its player's six values, ``counted`` the
         *         cells that it scored with, ``bonus`` whether the mover has another turn (T13, C14), ``shown`` the hand that was
         *         shown to everybody (C13), and ``over_why`` why the game is over.
         */
        EventShown: {
            type: string;
            at: number;
            version: number;
            line: components["schemas"]["Sentence"];
            /** @default null */
            seat?: number | null;
            /** @default null */
            name?: string | null;
            /** @default null */
            level?: string | null;
            /** @default null */
            portrait?: string | null;
            /** @default null */
            reaction?: string | null;
            /** @default null */
            first?: number | null;
            /** @default null */
            start?: {
                [key: string]: number;
            } | null;
            /** @default null */
            commitment?: string | null;
            /** @default null */
            key?: string | null;
            /** @default null */
            setup?: components["schemas"]["SetupShown"] | null;
            /** @default null */
            bot?: boolean | null;
            /** @default null */
            deal?: string[] | null;
            /** @default null */
            events?: string[] | null;
            /** @default null */
            gained?: number[] | null;
            /** @default null */
            counted?: string[] | null;
            /** @default null */
            bonus?: boolean | null;
            /** @default null */
            shown?: string[] | null;
            /** @default null */
            over_why?: ("all_18" | "boxes_full" | "chips_home" | "no_room") | null;
            /** @default null */
            milliseconds?: number | null;
            /** @default null */
            id?: string | null;
        };
        /**
         * Replay
         * @description A finished round, step by step, with everything open; everything goes by player.
         */
        Replay: {
            /** @enum {unknown} */
            game: "cards" | "dice" | "travel";
            round: number;
            rounds: number;
            names: string[];
            bots: (string | null)[];
            resigned: number[];
            places: number[] | null;
            steps: components["schemas"]["ReplayStep"][];
            commitment: string;
            key: string;
        };
        /**
         * ReplayStep
         * @description A position of a finished round, and the events that led to it: a player's decision, and what chance did.
         */
        ReplayStep: {
            events: string[];
            player: number | null;
            gained: number[];
            position: components["schemas"]["TravelPosition"] | components["schemas"]["CardsPosition"] | components["schemas"]["DicePosition"];
            reach: number[];
        };
        /**
         * ReviewShown
         * @description How far the review of a finished round has come: ``done`` of ``total`` events, the steps judged so far and
         *         everybody's chance after each; and all of it, once it is done.
         */
        ReviewShown: {
            done: number;
            total: number;
            steps: (components["schemas"]["Decision"] | components["schemas"]["Draw"])[];
            chances: number[][];
            review: components["schemas"]["Review"] | null;
        };
        /**
         * Decision
         * @description A decision: the best move, and the cost of the one that was played.
         */
        Decision: {
            /** @enum {unknown} */
            kind: "decision";
            number: number;
            player: number;
            move: string;
            best: string;
            forced: boolean;
            chance: number;
            best_chance: number;
            cost: number;
            error: number;
            mark: string | null;
            margin: number | null;
            candidates: components["schemas"]["Candidate"][];
        };
        /**
         * Candidate
         * @description An evaluated move: its chance, and the standard error of its distance to the best.
         */
        Candidate: {
            move: string;
            chance: number;
            error: number;
        };
        /**
         * Draw
         * @description A draw or roll: the player's chance after it, the average over all possible ones, and the difference.
         */
        Draw: {
            /** @enum {unknown} */
            kind: "draw";
            number: number;
            player: number;
            event: string;
            chance: number;
            average: number;
            luck: number;
            error: number;
        };
        /**
         * Review
         * @description The review of a record.
         */
        Review: {
            game: string;
            players: number;
            options: Record<string, never>;
            names: string[] | null;
            judged_by: string;
            iterations: number;
            seed: number;
            begin: number[];
            curve: number[][];
            steps: (components["schemas"]["Decision"] | components["schemas"]["Draw"])[];
            accounts: components["schemas"]["Account"][];
        };
        /**
         * Account
         * @description A player's totals: result - begin = luck - lost + others_lost + gap, where the gap is 0 for exact values.
         */
        Account: {
            player: number;
            begin: number;
            result: number | null;
            luck: number;
            luck_error: number;
            lost: number;
            others_lost: number;
            gap: number | null;
            even: number;
            decisions: number;
            mean_cost: number;
            marks: {
                [key: string]: number;
            };
        };
        /**
         * Odds
         * @description The exact odds of a position: every player's chance, and every move of the active player.
         */
        Odds: {
            chances: number[];
            candidates: components["schemas"]["Candidate"][];
        };
        /**
         * HintShown
         * @description A move that the strongest bot would play, what it adds at once, and why: the end of a sentence.
         */
        HintShown: {
            move: string;
            by: string;
            gained: number[];
            reason: string;
        };
        /**
         * Invited
         * @description The table that an invitation leads to; ``seated``: you sit there already.
         */
        Invited: {
            id: string;
            /** @enum {unknown} */
            game: "cards" | "dice" | "travel";
            players: number;
            names: string[];
            open_seats: number;
            setup: components["schemas"]["SetupShown"];
            seats: components["schemas"]["SeatShown"][];
            seated: boolean;
        };
        /**
         * Action
         * @description What somebody wants to do. ``id`` is the sender's own name for it; ``version`` is what the sender had seen;
         *         ``then`` is chosen together with a move, in case it leads to a choice (T16, C13).
         */
        Action: {
            do: string;
            /** @default  */
            id?: string;
            /** @default null */
            version?: number | null;
            /** @default null */
            seat?: number | null;
            /** @default null */
            move?: string | null;
            /** @default null */
            then?: string | null;
            /** @default null */
            name?: string | null;
            /** @default null */
            portrait?: string | null;
            /** @default null */
            level?: string | null;
            /** @default null */
            reaction?: string | null;
        };
        /**
         * Presence
         * @description Who is at the table just now, by seat; bots always are. It is no event and has no version.
         */
        Presence: {
            /** @enum {unknown} */
            type: "presence";
            present: boolean[];
        };
        /**
         * NewTable
         * @description A table to be made. Without ``seats`` the maker takes the first and the others are open; without ``rounds`` there
         *         are as many as the game has by default; without ``hints`` there are some only where all others are bots.
         */
        NewTable: {
            /** @enum {unknown} */
            game: "cards" | "dice" | "travel";
            /** @default 2 */
            players?: number;
            /** @default {} */
            options?: {
                [key: string]: boolean | string;
            };
            /** @default null */
            rounds?: number | null;
            /**
             * @default none
             * @enum {unknown}
             */
            clock?: "game" | "move" | "none";
            /** @default 0 */
            seconds?: number;
            /** @default 120 */
            takeover?: number | null;
            /** @default null */
            first?: number | null;
            /** @default null */
            hints?: boolean | null;
            /** @default false */
            public?: boolean;
            /** @default null */
            seats?: components["schemas"]["NewSeat"][] | null;
        };
        /**
         * NewSeat
         * @description A seat of a new table: open, for the maker (``name`` where several share a device), or for a bot.
         */
        NewSeat: {
            /**
             * @default open
             * @enum {unknown}
             */
            kind?: "bot" | "me" | "open";
            /** @default null */
            name?: string | null;
            /** @default null */
            portrait?: string | null;
            /** @default null */
            level?: string | null;
        };
        /**
         * GameShown
         * @description A game that can be played here: ``rounds_default`` by players; ``last`` is the last field of a row, ``goal`` the
         *         lowest value that wins, ``areas`` where each area of a row ends, ``minutes`` about how long a game takes.
         */
        GameShown: {
            name: string;
            players: number[];
            options: {
                [key: string]: components["schemas"]["Flag"] | components["schemas"]["Choice"];
            };
            series: boolean;
            rounds_default: {
                [key: string]: number;
            };
            last: number;
            goal: number;
            areas: number[];
            symbols: number;
            minutes: number;
        };
        /**
         * Flag
         * @description An option that is on or off.
         */
        Flag: {
            /** @enum {unknown} */
            kind: "flag";
            /** @default false */
            default?: boolean;
        };
        /**
         * Choice
         * @description An option with named values.
         */
        Choice: {
            /** @enum {unknown} */
            kind: "choice";
            default: string;
            choices: string[];
        };
        /**
         * GuestShown
         * @description Who the server thinks you are; an empty portrait is chosen at each table.
         */
        GuestShown: {
            name: string;
            bot: boolean;
            /** @default  */
            portrait?: string;
        };
        /** Seated */
        Seated: {
            id: string;
            version: number;
            seats: number[];
        };
        /** TableFound */
        TableFound: {
            id: string;
            game: string;
            players: number;
            stage: string;
            open_seats: number;
            made_at: number;
            changed_at: number;
        };
        /**
         * Invitation
         * @description The token stands behind the # of the link, so that no server and no log on the way sees it.
         */
        Invitation: {
            token: string;
            link: string;
        };
        /** Carry */
        Carry: {
            token: string;
            link: string;
            seconds: number;
        };
        /**
         * Problem
         * @description Why not: a sentence, the clause of the rules (or ``table``, ``server``), and a key with words for translating.
         */
        Problem: {
            key: string;
            reason: string;
            clause: string;
            /** @default {} */
            words?: {
                [key: string]: string;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
