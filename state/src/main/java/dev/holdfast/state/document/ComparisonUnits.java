package dev.holdfast.state.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The units by which states are compared, found in one pass: of each only its place and its hash are kept, and only one at a time is
 * read whole.
 */
final class ComparisonUnits {
    /** A larger unit is compared as a whole. */
    private static final int MAX_READ = 8 << 20;

    private static final JsonFactory JSON = JsonText.factory();

    private final byte[] bytes;
    private final JsonParser parser;
    private final boolean deployer;
    private final CancellableWork work;
    private final Map<String, Unit> units = new LinkedHashMap<>();
    /** The number the next unit of the same address gets. */
    private final Map<String, Integer> numbers = new HashMap<>();

    private ComparisonUnits(byte[] bytes, JsonParser parser, boolean deployer, CancellableWork work) {
        this.bytes = bytes;
        this.parser = parser;
        this.deployer = deployer;
        this.work = work;
    }

    /**
     * One unit.
     *
     * @param bytes of the document; not a copy
     * @param place of the unit itself: one of ten thousand instances is read without the others
     * @param hash of its value
     */
    @SuppressWarnings("ArrayRecordComponent") // shared on purpose
    record Unit(byte[] bytes, DocumentScan.Place place, String hash) {
        /** The value; empty if it is too large to be read. */
        Optional<Json> value() {
            return ComparisonUnits.read(bytes, place);
        }
    }

    static Map<String, Unit> of(byte[] bytes, CancellableWork work) {
        boolean deployer = DocumentScan.of(bytes).format().equals(Optional.of(DeployerChecksums.FORMAT));
        try (JsonParser parser = JSON.createParser(bytes)) {
            ComparisonUnits found = new ComparisonUnits(bytes, parser, deployer, work);
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                found.document();
            } else {
                found.add("/");
            }
            return found.units;
        } catch (IOException e) {
            throw StateText.refused(e);
        }
    }

    private void document() throws IOException {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("resources") && value == JsonToken.START_ARRAY) {
                resources();
            } else if (name.equals("outputs") && value == JsonToken.START_OBJECT) {
                members("output.");
            } else if (deployer && name.equals("resources") && value == JsonToken.START_OBJECT) {
                members("");
            } else {
                add("/" + name.replace("~", "~0").replace("/", "~1"));
            }
        }
    }

    private void members(String prefix) throws IOException {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            add(prefix + name);
        }
    }

    private void resources() throws IOException {
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            DocumentScan.Place place = DocumentScan.Place.passed(parser, 0);
            Optional<Json> resource = read(bytes, place);
            List<Json> instances =
                    resource.map(it -> it.at("instances").items()).orElse(List.of()); // as terraform has them
            String address = resource.map(Addresses::of).orElse("/resources/" + i);
            if (instances.isEmpty()) {
                put(address, new Unit(bytes, place, hash(resource, place)));
                continue;
            }
            List<DocumentScan.Place> places = instancePlaces(place);
            for (int k = 0; k < instances.size(); k++) {
                Json instance = instances.get(k);
                String hash = Sha256.of(instance.canonical());
                put(address + Addresses.index(instance), new Unit(bytes, places.get(k), hash));
            }
        }
    }

    /** Where each of them is, in the same order. Of a member that is named twice the last counts, here as there. */
    private List<DocumentScan.Place> instancePlaces(DocumentScan.Place resource) throws IOException {
        List<DocumentScan.Place> places = new ArrayList<>();
        try (JsonParser inside = JSON.createParser(bytes, resource.start(), resource.end() - resource.start())) {
            inside.nextToken();
            while (inside.nextToken() != JsonToken.END_OBJECT) {
                boolean wanted = inside.currentName().equals("instances");
                if (inside.nextToken() != JsonToken.START_ARRAY || !wanted) {
                    inside.skipChildren();
                    continue;
                }
                places.clear();
                while (inside.nextToken() != JsonToken.END_ARRAY) {
                    places.add(DocumentScan.Place.passed(inside, resource.start()));
                }
            }
        }
        return places;
    }

    private void add(String address) throws IOException {
        DocumentScan.Place place = DocumentScan.Place.passed(parser, 0);
        put(address, new Unit(bytes, place, hash(read(bytes, place), place)));
    }

    /** Two of one name, as deposed instances are, are told apart by their order. */
    private void put(String address, Unit unit) {
        work.step();
        String free = address;
        // Each goes on where the last of that name ended: ten thousand of one name cost as much as ten thousand names.
        while (units.containsKey(free)) {
            work.step();
            free = address + " (" + numbers.merge(address, 2, (number, first) -> number + 1) + ")";
        }
        units.put(free, unit);
    }

    private String hash(Optional<Json> value, DocumentScan.Place place) {
        return value.map(it -> Sha256.of(it.canonical()))
                .orElseGet(() -> Sha256.of(bytes, place.start(), place.end() - place.start()));
    }

    private static Optional<Json> read(byte[] bytes, DocumentScan.Place place) {
        int length = place.end() - place.start();
        return length > MAX_READ
                ? Optional.empty()
                : Optional.of(StateText.read("State", bytes, place.start(), length));
    }
}
