package dev.holdfast.server.auth;

import dev.holdfast.model.RecordKey;
import dev.holdfast.state.versions.Stack;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What somebody may do, and where. What is not granted is denied. Immutable; any thread may ask.
 *
 * <pre>
 *   *                everywhere, also in namespaces to come
 *   billing          in the namespace billing
 *   billing/invoices the lock invoices of it
 *   billing/inv*     its locks whose names begin so
 *   deploy/shop/prod the stack shop in prod: its state, and its lock with all parts
 *   deploy/shop/*    the stack shop in all environments
 *   guard/shop-*     the guarded apps whose names begin so
 * </pre>
 */
public record Grants(Map<String, Set<Role>> roles) {
    public static final String EVERYWHERE = "*";

    /** A namespace, or in it the names that are, or begin with, what follows. */
    public static final Pattern PLACE = Pattern.compile("\\*|[A-Za-z0-9_.-]{1,64}(/[^*\\p{Cntrl}]{0,512}\\*?)?");

    /** A token travels in a header; no honest one names more. */
    static final int MAX_PLACES = 1_000;

    public static final Grants NONE = new Grants(Map.of());
    public static final Grants ALL = everywhere(Role.ADMIN);

    private static final Pattern STACK = Pattern.compile("stack:([^:/]+):env:([^:/]+)");

    public Grants {
        if (roles.size() > MAX_PLACES) {
            throw new IllegalArgumentException(
                    "roles name " + roles.size() + " places, at most " + MAX_PLACES + " are allowed");
        }
        Map<String, Set<Role>> copy = new LinkedHashMap<>();
        roles.forEach((place, granted) -> copy.put(checked(place), Set.copyOf(granted)));
        roles = Map.copyOf(copy);
    }

    public static Grants everywhere(Role... roles) {
        return in(EVERYWHERE, roles);
    }

    public static Grants in(String place, Role... roles) {
        return new Grants(Map.of(place, Set.of(roles)));
    }

    /**
     * Reads grants as they are spelled in configuration and tokens.
     *
     * @throws IllegalArgumentException naming the place or role that cannot be
     */
    public static Grants spelled(Map<String, ? extends Collection<String>> spelled) {
        Map<String, Set<Role>> roles = new LinkedHashMap<>();
        spelled.forEach((place, names) -> roles.put(
                place, names.stream().map(name -> role(place, name)).collect(Collectors.toUnmodifiableSet())));
        return new Grants(roles);
    }

    /** As they are written in configuration, tokens and answers: the roles in each place, both in a fixed order. */
    public Map<String, List<String>> spelling() {
        Map<String, List<String>> spelled = new TreeMap<>();
        roles.forEach((place, granted) ->
                spelled.put(place, granted.stream().sorted().map(Role::spelling).toList()));
        return spelled;
    }

    public static Grants united(List<Grants> all) {
        Map<String, Set<Role>> union = new LinkedHashMap<>();
        all.forEach(grants -> grants.roles.forEach((place, granted) ->
                union.computeIfAbsent(place, key -> EnumSet.noneOf(Role.class)).addAll(granted)));
        return new Grants(union);
    }

    /** Whether {@code wanted} is granted for this lock, or the stack whose lock it is. */
    public boolean may(Role wanted, RecordKey key) {
        return may(wanted, key.namespace(), name(key));
    }

    public boolean may(Role wanted, String namespace, String name) {
        return mayThroughout(wanted, namespace)
                || roles.entrySet().stream()
                        .anyMatch(granted ->
                                covers(granted.getKey(), namespace, name) && anyImplies(granted.getValue(), wanted));
    }

    /** Whether {@code wanted} is granted for something in this namespace; the answer must then be narrowed by {@link #may}. */
    public boolean maySomewhereIn(Role wanted, String namespace) {
        return mayThroughout(wanted, namespace)
                || roles.entrySet().stream()
                        .anyMatch(granted ->
                                granted.getKey().startsWith(namespace + "/") && anyImplies(granted.getValue(), wanted));
    }

    public boolean mayThroughout(Role wanted, String namespace) {
        return mayEverywhere(wanted) || anyImplies(roles.getOrDefault(namespace, Set.of()), wanted);
    }

    /** Whether {@code wanted} is granted for anything; the answer must then be narrowed by {@link #may}. */
    public boolean mayAnywhere(Role wanted) {
        return roles.values().stream().anyMatch(granted -> anyImplies(granted, wanted));
    }

    /** Whether {@code wanted} is granted in all namespaces: what acts on the whole server asks this. */
    public boolean mayEverywhere(Role wanted) {
        return anyImplies(roles.getOrDefault(EVERYWHERE, Set.of()), wanted);
    }

    /** Names of locks that begin with something. */
    public record Part(String namespace, String prefix) {}

    /** What has to be gone through to find all that {@code wanted} is granted for, where it is not granted everywhere. */
    public List<Part> parts(Role wanted) {
        List<Part> parts = new ArrayList<>();
        roles.forEach((place, granted) -> {
            if (anyImplies(granted, wanted) && !place.equals(EVERYWHERE)) {
                int slash = place.indexOf('/');
                String namespace = slash < 0 ? place : place.substring(0, slash);
                String rest = slash < 0 ? "" : place.substring(slash + 1);
                String begin = rest.endsWith("*") ? rest.substring(0, rest.length() - 1) : rest;
                parts.add(new Part(namespace, begin));
                if (namespace.equals(Stack.NAMESPACE) && !begin.isEmpty()) {
                    parts.add(new Part(namespace, "stack:" + begin.replaceFirst("/", ":env:")));
                }
            }
        });
        return parts;
    }

    private static boolean anyImplies(Set<Role> granted, Role wanted) {
        return granted.stream().anyMatch(role -> role.implies(wanted));
    }

    private static boolean covers(String place, String namespace, String name) {
        int start = namespace.length() + 1;
        if (place.length() < start || !place.startsWith(namespace) || place.charAt(start - 1) != '/') {
            return false;
        }
        return place.endsWith("*")
                ? name.startsWith(place.substring(start, place.length() - 1))
                : name.equals(place.substring(start));
    }

    /** How a grant for just this lock, or the stack whose lock it is, is spelled. */
    public static String place(RecordKey key) {
        return key.namespace() + "/" + name(key);
    }

    /** The name grants know a lock by: that of a stack is {@code shop/prod}, as in the path of its state. */
    private static String name(RecordKey key) {
        if (!key.namespace().equals(Stack.NAMESPACE)) {
            return key.name();
        }
        Matcher stack = STACK.matcher(key.name());
        return stack.matches() ? stack.group(1) + "/" + stack.group(2) : key.name();
    }

    private static String checked(String place) {
        if (!PLACE.matcher(place).matches()) {
            throw new IllegalArgumentException("'" + ForeignText.safely(place)
                    + "' must be '*', a namespace of 1 to 64 letters, digits, '_', '.', '-', or"
                    + " namespace/name, where a '*' at the end stands for any ending");
        }
        return place;
    }

    private static Role role(String place, String name) {
        return Role.spelled(name)
                .orElseThrow(() -> new IllegalArgumentException("role '" + ForeignText.safely(name) + "' for '"
                        + ForeignText.safely(place) + "' is not one of " + Role.spellings()));
    }

    @Override
    public String toString() {
        return roles.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry ->
                        entry.getKey() + "=" + (entry.getValue().isEmpty() ? "[]" : EnumSet.copyOf(entry.getValue())))
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
