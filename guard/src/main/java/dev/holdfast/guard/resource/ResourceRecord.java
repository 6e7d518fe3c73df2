package dev.holdfast.guard.resource;

import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.ResourceState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

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
 * @param actuator what stops and starts it, as last known; empty if nobody could say yet
 * @param intents to stop it, each with the app it belongs to
 * @param downs for each app, how often in a row it was seen down
 * @param apps who uses it, as of the last registration
 * @param movedTo another identifier it turned out to be the same as
 * @param decisions the last ones, newest first
 * @param version one more with every change
 */
public record ResourceRecord(
        String id,
        ResourceState state,
        long token,
        Optional<String> actuator,
        Map<String, Instant> intents,
        Map<String, Downs> downs,
        List<String> apps,
        Optional<String> movedTo,
        List<GuardDecision> decisions,
        long version) {
    public static final int MAX_DECISIONS = 50;

    /** Pieces of evidence kept with all of them: a stored resource stays far below 400 KB, the limit of a DynamoDB item. */
    static final int MAX_EVIDENCE = 1_000;

    /**
     * That an app was seen down, and by nobody otherwise since.
     *
     * @param run which one this is: another after anybody saw the app otherwise
     * @param since the first time
     * @param count how often in a row, as far as that is counted
     * @param at the last time that was counted
     */
    public record Downs(String run, Instant since, int count, Instant at) {}

    public ResourceRecord {
        intents = Collections.unmodifiableNavigableMap(new TreeMap<>(intents));
        downs = Collections.unmodifiableNavigableMap(new TreeMap<>(downs));
        apps = List.copyOf(apps);
        decisions = bounded(decisions);
    }

    public static ResourceRecord fresh(String id) {
        return new ResourceRecord(
                id,
                ResourceState.UNKNOWN,
                0,
                Optional.empty(),
                Map.of(),
                Map.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                0);
    }

    public boolean isActive() {
        return !intents.isEmpty() || state == ResourceState.STOPPING || state == ResourceState.STARTING;
    }

    /** Whether it was last said that it is stopped and needed. */
    public boolean isToldNeeded() {
        return !decisions.isEmpty() && decisions.get(0).outcome() == GuardOutcome.NEEDED;
    }

    /** The oldest intent. */
    public Optional<Intent> intent() {
        return intents.entrySet().stream()
                .min(Map.Entry.comparingByValue())
                .map(entry -> new Intent(entry.getKey(), entry.getValue()));
    }

    /** Also wanted by this, and its app is counted anew; an app that asks again goes on having asked first. */
    public ResourceRecord wanted(Intent wish) {
        if (intents.containsKey(wish.requestedBy())) {
            return usedBy(apps);
        }
        Map<String, Instant> all = new TreeMap<>(intents);
        all.put(wish.requestedBy(), wish.since());
        Map<String, Downs> others = new TreeMap<>(downs);
        others.remove(wish.requestedBy());
        return new ResourceRecord(id, state, token, actuator, all, others, apps, Optional.empty(), decisions, version);
    }

    /** An app wants it no longer stopped: what was counted of the app was counted for that. */
    public ResourceRecord withdrawnBy(String app) {
        Set<String> others = new TreeSet<>(intents.keySet());
        others.remove(app);
        Map<String, Downs> counted = new TreeMap<>(downs);
        counted.remove(app);
        return counted(counted).keepingIntentsOf(others);
    }

    /** Nobody wants it stopped any more. */
    public ResourceRecord withdrawn() {
        return keepingIntentsOf(Set.of());
    }

    /** Intents of others are gone; with the last one, what was counted for them. */
    public ResourceRecord keepingIntentsOf(Collection<String> owners) {
        Map<String, Instant> kept = new TreeMap<>(intents);
        kept.keySet().retainAll(owners);
        Map<String, Downs> counted = kept.isEmpty() ? Map.of() : downs;
        return new ResourceRecord(id, state, token, actuator, kept, counted, apps, movedTo, decisions, version);
    }

    public ResourceRecord in(ResourceState next, long under) {
        return new ResourceRecord(id, next, under, actuator, intents, downs, apps, movedTo, decisions, version);
    }

    public ResourceRecord actedOnBy(String name) {
        return new ResourceRecord(
                id, state, token, Optional.of(name), intents, downs, apps, movedTo, decisions, version);
    }

    public ResourceRecord counted(Map<String, Downs> next) {
        return new ResourceRecord(id, state, token, actuator, intents, next, apps, movedTo, decisions, version);
    }

    public ResourceRecord without(Collection<Downs> over) {
        Map<String, Downs> left = new TreeMap<>(downs);
        left.values().removeIf(downs -> over.stream().anyMatch(one -> one.run().equals(downs.run())));
        return counted(left);
    }

    public ResourceRecord usedBy(List<String> users) {
        return new ResourceRecord(
                id, state, token, actuator, intents, downs, users, Optional.empty(), decisions, version);
    }

    public ResourceRecord movedTo(String other) {
        return new ResourceRecord(
                id, state, token, actuator, Map.of(), Map.of(), List.of(), Optional.of(other), decisions, version);
    }

    public ResourceRecord decided(GuardDecision decision) {
        List<GuardDecision> all = new ArrayList<>(decisions);
        all.add(0, decision);
        return new ResourceRecord(id, state, token, actuator, intents, downs, apps, movedTo, all, version);
    }

    public ResourceRecord nextVersion() {
        return new ResourceRecord(id, state, token, actuator, intents, downs, apps, movedTo, decisions, version + 1);
    }

    private static List<GuardDecision> bounded(List<GuardDecision> decisions) {
        int evidence = 0;
        int kept = 0;
        for (GuardDecision decision : decisions) {
            evidence += decision.evidence().size();
            if (kept == MAX_DECISIONS || (evidence > MAX_EVIDENCE && kept > 0)) {
                break;
            }
            kept++;
        }
        return List.copyOf(decisions.subList(0, kept));
    }
}
