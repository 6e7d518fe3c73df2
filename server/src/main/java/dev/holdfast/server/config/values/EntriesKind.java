package dev.holdfast.server.config.values;

import dev.holdfast.server.auth.TokenEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A list of maps that have the same fields, such as the API tokens. Everything that is wrong with it is told, with its place. */
abstract class EntriesKind<T> implements ValueKind<List<T>> {
    private final int most;
    private final String allowed;
    private final List<String> fields;

    EntriesKind(int most, String allowed, List<String> fields) {
        this.most = most;
        this.allowed = allowed;
        this.fields = fields;
    }

    /** Reads one entry: what is wrong with it goes to the details of its part. It is made only if nothing is wrong with the whole list. */
    abstract Supplier<T> entry(Part part);

    /** Finds what is wrong with the entries together. */
    void compare(List<Part> parts) {}

    @Override
    public List<T> read(Value value) throws ValueRefusal {
        Value tree = YamlText.unfolded(value);
        if (tree instanceof Value.Nothing) {
            return List.of();
        }
        if (!(tree instanceof Value.Items items) || items.items().size() > most) {
            throw ValueRefusal.mustBe(allowed() + ", at most " + most);
        }
        RefusalDetails details = new RefusalDetails();
        List<Part> parts = new ArrayList<>();
        List<Supplier<T>> entries = new ArrayList<>();
        for (int i = 0; i < items.items().size(); i++) {
            Value item = items.items().get(i);
            if (item instanceof Value.Fields found) {
                Part part = new Part(found, "[" + i + "]", details);
                part.refuseOthers(fields);
                parts.add(part);
                entries.add(entry(part));
            } else {
                notAMap(item, "[" + i + "]", details);
            }
        }
        compare(parts);
        details.refuse();
        return made(entries, details);
    }

    private List<T> made(List<Supplier<T>> entries, RefusalDetails details) throws ValueRefusal {
        List<T> made = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            try {
                made.add(entries.get(i).get());
            } catch (IllegalArgumentException e) {
                details.add("[" + i + "]", "cannot be used: " + e.getMessage());
            }
        }
        details.refuse();
        return List.copyOf(made);
    }

    private void notAMap(Value item, String path, RefusalDetails details) {
        String rule = allowed.replace("`", "").replace("a list of maps", "must be a map");
        if (mayBeRepeated(item)) {
            details.add(path, rule, item.described());
        } else {
            details.add(path, rule);
        }
    }

    @Override
    public String allowed() {
        return allowed;
    }

    @Override
    public String shown(Value value, List<T> read) {
        return YamlText.shown(value);
    }

    /**
     * The fields of one entry.
     *
     * @param path its place in the list
     * @param details takes what is wrong with it
     */
    record Part(Value.Fields entry, String path, RefusalDetails details) {
        boolean has(String name) {
            return entry.fields().containsKey(name);
        }

        Value value(String name) {
            return entry.fields().getOrDefault(name, new Value.Nothing(entry.line()));
        }

        /** The text there; empty if there is none. */
        String text(String name) {
            return value(name) instanceof Value.Text text ? text.text() : "";
        }

        Optional<String> optionalText(String name) {
            return has(name) ? Optional.of(text(name)) : Optional.empty();
        }

        void refuse(String name, String rule, String was) {
            details.add(path + "." + name, rule, was);
        }

        void refuse(String name, String rule) {
            details.add(path + "." + name, rule);
        }

        Map<String, List<String>> roles() {
            return RolesKind.read(value("roles"), path + ".roles", details);
        }

        Optional<String> id() {
            return has("id") ? Optional.of(neededId()) : Optional.empty();
        }

        String neededId() {
            String id = text("id");
            if (!TokenEntry.ID.matcher(id).matches()) {
                refuse("id", "must be 1 to 64 of A-Z a-z 0-9 _ . @ : -", ValueRefusal.quoted(id));
            }
            return id;
        }

        Optional<String> group() {
            Optional<String> group = optionalText("group");
            group.filter(text -> !TokenEntry.GROUP.matcher(text).matches())
                    .ifPresent(text ->
                            refuse("group", "must be 1 to 200 of A-Z a-z 0-9 _ . @ : / -", ValueRefusal.quoted(text)));
            return group;
        }

        private void refuseOthers(List<String> known) {
            int last = known.size() - 1;
            String names = String.join(", ", known.subList(0, last)) + " and " + known.get(last);
            entry.fields().keySet().stream()
                    .filter(field -> !known.contains(field))
                    .forEach(field -> details.add(
                            path, "has an unknown field; there are only " + names, ValueRefusal.quoted(field)));
        }
    }
}
