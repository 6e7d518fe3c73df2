package dev.holdfast.guard;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is stored of a resource. Every change is a compare-and-set of the whole.
 *
 * <pre>
 *              nobody needs it                read back
 *   RUNNING ────────────────────► STOPPING ──────────────► STOPPED
 *      ▲                              │ an app needs it        │ an app starts
 *      │          read back           ▼                        ▼
 *      └─────────────────────────  STARTING ◄──────────────────┘
 * </pre>
 *
 * <p>{@link ResourceState#UNKNOWN}, before anybody looked, is treated as running. {@link ResourceState#STOPPING} and {@link ResourceState#STARTING} are stored, with the token, before the actuator is
 * called: whoever finds them knows that somebody may have acted, and reads back.
 *
 * @param id its identifier
 * @param state as last known
 * @param token of the lock under which it was last acted on; 0 if never
 * @param intent to stop it
 * @param downs for each app, how often in a row it was seen down
 * @param apps who uses it, as of the last registration
 * @param movedTo another identifier it turned out to be the same as
 * @param decisions the last ones, newest first
 * @param version one more with every change
 */
record Resource(
        String id,
        ResourceState state,
        long token,
        Optional<Intent> intent,
        Map<String, Downs> downs,
        List<String> apps,
        Optional<String> movedTo,
        List<Decision> decisions,
        long version) {
    /** Decisions kept. */
    static final int MAX_DECISIONS = 50;
    /** Pieces of evidence kept with all of them: a stored resource stays far below 400 KB, the limit of a DynamoDB item. */
    static final int MAX_EVIDENCE = 1_000;

    /**
     * How often in a row an app was seen down.
     *
     * @param count how often
     * @param at the last time
     */
    record Downs(int count, Instant at) {}

    Resource {
        downs = Collections.unmodifiableNavigableMap(new TreeMap<>(downs));
        apps = List.copyOf(apps);
        decisions = bounded(decisions);
    }

    static Resource fresh(String id) {
        return new Resource(
                id, ResourceState.UNKNOWN, 0, Optional.empty(), Map.of(), List.of(), Optional.empty(), List.of(), 0);
    }

    /** Whether there is something to do about it. */
    boolean isActive() {
        return intent.isPresent() || state == ResourceState.STOPPING || state == ResourceState.STARTING;
    }

    Resource wanted(Intent wish) {
        return new Resource(
                id,
                state,
                token,
                intent.or(() -> Optional.of(wish)),
                downs,
                apps,
                Optional.empty(),
                decisions,
                version);
    }

    Resource withdrawn() {
        return new Resource(id, state, token, Optional.empty(), Map.of(), apps, movedTo, decisions, version);
    }

    Resource in(ResourceState next, long under) {
        return new Resource(id, next, under, intent, downs, apps, movedTo, decisions, version);
    }

    Resource counted(NavigableMap<String, Downs> next) {
        return new Resource(id, state, token, intent, next, apps, movedTo, decisions, version);
    }

    Resource usedBy(List<String> users) {
        return new Resource(id, state, token, intent, downs, users, Optional.empty(), decisions, version);
    }

    Resource movedTo(String other) {
        return new Resource(
                id, state, token, Optional.empty(), Map.of(), List.of(), Optional.of(other), decisions, version);
    }

    Resource decided(Decision decision) {
        List<Decision> all = new ArrayList<>(decisions);
        all.add(0, decision);
        return new Resource(id, state, token, intent, downs, apps, movedTo, all, version);
    }

    Resource nextVersion() {
        return new Resource(id, state, token, intent, downs, apps, movedTo, decisions, version + 1);
    }

    private static List<Decision> bounded(List<Decision> decisions) {
        int evidence = 0;
        int kept = 0;
        for (Decision decision : decisions) {
            evidence += decision.evidence().size();
            if (kept == MAX_DECISIONS || (evidence > MAX_EVIDENCE && kept > 0)) {
                break;
            }
            kept++;
        }
        return List.copyOf(decisions.subList(0, kept));
    }
}
