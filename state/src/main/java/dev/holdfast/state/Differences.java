package dev.holdfast.state;

import dev.holdfast.state.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Compares two documents: first by the hashes of their units, then inside those that differ. */
final class Differences {
    /** Most units listed. */
    private static final int MAX_CHANGES = 10_000;
    /** Most attributes listed of one unit. */
    private static final int MAX_ATTRIBUTES = 200;
    /** Longest value shown. */
    private static final int MAX_VALUE = 200;

    private Differences() {}

    static StateDiff between(byte[] from, byte[] to) {
        Map<String, Units.Unit> before = Units.of(from);
        Map<String, Units.Unit> after = Units.of(to);
        Set<String> addresses = new TreeSet<>(before.keySet());
        addresses.addAll(after.keySet());
        List<StateDiff.Change> changes = new ArrayList<>();
        for (String address : addresses) {
            Units.Unit old = before.get(address);
            Units.Unit now = after.get(address);
            if (old != null && now != null && old.hash().equals(now.hash())) {
                continue;
            }
            if (changes.size() == MAX_CHANGES) {
                return new StateDiff(changes, false);
            }
            changes.add(change(address, Optional.ofNullable(old), Optional.ofNullable(now)));
        }
        return new StateDiff(changes, true);
    }

    private static StateDiff.Change change(String address, Optional<Units.Unit> old, Optional<Units.Unit> now) {
        if (old.isEmpty() || now.isEmpty()) {
            StateDiff.Kind kind = old.isEmpty() ? StateDiff.Kind.ADDED : StateDiff.Kind.REMOVED;
            return new StateDiff.Change(address, kind, List.of(), true);
        }
        Optional<Json> before = old.get().value();
        Optional<Json> after = now.get().value();
        if (before.isEmpty() || after.isEmpty()) {
            return new StateDiff.Change(address, StateDiff.Kind.CHANGED, List.of(), true);
        }
        Set<String> secret = new HashSet<>(Secrets.declared(before.get()));
        secret.addAll(Secrets.declared(after.get()));
        boolean hidden = Secrets.isSecret(address);
        Map<String, Leaf> was = leaves(before.get(), secret, hidden);
        Map<String, Leaf> is = leaves(after.get(), secret, hidden);
        Set<String> paths = new TreeSet<>(was.keySet());
        paths.addAll(is.keySet());
        List<StateDiff.Attribute> attributes = new ArrayList<>();
        for (String path : paths) {
            Optional<Leaf> a = Optional.ofNullable(was.get(path));
            Optional<Leaf> b = Optional.ofNullable(is.get(path));
            if (a.map(Leaf::value).equals(b.map(Leaf::value))) {
                continue;
            }
            if (attributes.size() == MAX_ATTRIBUTES) {
                return new StateDiff.Change(address, StateDiff.Kind.CHANGED, attributes, false);
            }
            attributes.add(new StateDiff.Attribute(path, a.map(Leaf::shown), b.map(Leaf::shown)));
        }
        return new StateDiff.Change(address, StateDiff.Kind.CHANGED, attributes, true);
    }

    private record Leaf(Json value, boolean secret) {
        String shown() {
            if (secret) {
                return StateDiff.SECRET;
            }
            String text = new String(value.bytes(), java.nio.charset.StandardCharsets.UTF_8);
            return text.length() <= MAX_VALUE ? text : text.substring(0, MAX_VALUE - 3) + "...";
        }
    }

    private static Map<String, Leaf> leaves(Json value, Set<String> secret, boolean hidden) {
        Map<String, Leaf> leaves = new TreeMap<>();
        collect("", value, secret, hidden, leaves);
        return leaves;
    }

    private static void collect(String path, Json value, Set<String> secret, boolean hidden, Map<String, Leaf> into) {
        boolean masked = hidden || secret.contains(path);
        if (value instanceof Json.Obj object && !object.members().isEmpty()) {
            object.members()
                    .forEach((name, it) -> collect(
                            path.isEmpty() ? name : path + "." + name,
                            it,
                            secret,
                            masked || Secrets.isSecret(name),
                            into));
        } else if (value instanceof Json.Arr array && !array.items().isEmpty()) {
            for (int i = 0; i < array.items().size(); i++) {
                collect(path + "[" + i + "]", array.items().get(i), secret, masked, into);
            }
        } else {
            into.put(path, new Leaf(value, masked));
        }
    }
}
