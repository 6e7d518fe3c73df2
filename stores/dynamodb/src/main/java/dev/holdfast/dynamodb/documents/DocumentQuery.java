package dev.holdfast.dynamodb.documents;

import dev.holdfast.aws.AwsRequests;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.ListRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** A page of documents: queries over the names of the heads, as many as it takes. */
public record DocumentQuery(DocumentItems items, ListRequest request) {
    /** Below and above every character of a name. */
    private static final String FIRST = " ";

    private static final String LAST = "\u007f";

    public DocumentPage page() {
        String from = request.prefix().isEmpty() ? FIRST : request.prefix();
        String to = request.prefix() + LAST;
        if (request.after().isPresent()) {
            String last = request.after().get();
            if (request.newestFirst()) {
                to = to.compareTo(last) < 0 ? to : last;
            } else {
                from = from.compareTo(last + FIRST) > 0 ? from : last + FIRST;
            }
        }
        return from.compareTo(to) > 0 ? new DocumentPage(List.of(), Optional.empty()) : between(from, to);
    }

    private DocumentPage between(String from, String to) {
        List<DocumentHead> heads = new ArrayList<>();
        Map<String, AttributeValue> start = Map.of();
        do {
            QueryResponse answer = ask(from, to, start);
            for (Map<String, AttributeValue> item : answer.items()) {
                DocumentHead head = DocumentItem.of(item).head();
                if (request.matches(head.name())) { // downwards the last one of the page before is among them
                    heads.add(head);
                }
                if (heads.size() > request.limit()) {
                    List<DocumentHead> page = heads.subList(0, request.limit());
                    return new DocumentPage(
                            page, Optional.of(page.get(page.size() - 1).name()));
                }
            }
            start = answer.hasLastEvaluatedKey() ? answer.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty());
        return new DocumentPage(heads, Optional.empty());
    }

    private QueryResponse ask(String from, String to, Map<String, AttributeValue> start) {
        Map<String, String> names = new HashMap<>(Map.of("#part", DocumentItem.PART, "#name", DocumentItem.NAME));
        Map<String, AttributeValue> values = new HashMap<>(Map.of(
                ":heads", AttributeValue.fromS(DocumentItem.HEADS),
                ":from", AttributeValue.fromS(from),
                ":to", AttributeValue.fromS(to)));
        QueryRequest.Builder query = QueryRequest.builder()
                .tableName(items.table())
                .keyConditionExpression("#part = :heads and #name between :from and :to")
                .consistentRead(true)
                .scanIndexForward(!request.newestFirst());
        if (request.leaf().isPresent()) {
            names.put("#leaf", DocumentItem.LEAF);
            values.put(":leaf", AttributeValue.fromS(request.leaf().get()));
            query.filterExpression("#leaf = :leaf");
        } else {
            query.limit(request.limit() + 2);
        }
        QueryRequest whole = query.expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .exclusiveStartKey(start.isEmpty() ? null : start)
                .build();
        return AwsRequests.await(items.calls().read("listing documents", client -> client.query(whole)));
    }
}
