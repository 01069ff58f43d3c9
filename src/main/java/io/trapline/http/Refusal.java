package io.trapline.http;

import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.StatusCode;
import io.trapline.campaign.CampaignException;
import java.util.List;

/** Ends the handling of a request with that status and error. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient StatusCode status;
    private final transient ErrorView error;
    private final transient List<HttpHeader> headers;

    private Refusal(StatusCode status, ErrorView error, List<HttpHeader> headers) {
        super(error.message(), null, false, false);
        this.status = status;
        this.error = error;
        this.headers = headers;
    }

    static Refusal of(StatusCode status, String message, HttpHeader... headers) {
        return new Refusal(status, new ErrorView(message, List.of()), List.of(headers));
    }

    /** A campaign file that is wrong, with all places. */
    static Refusal of(StatusCode status, CampaignException wrong) {
        List<ErrorView.Place> places = wrong.problems().stream()
                .map(p -> new ErrorView.Place(p.place(), p.message(), p.fix()))
                .toList();
        String message =
                places.size() == 1 ? "the campaign has a problem" : "the campaign has " + places.size() + " problems";
        return new Refusal(status, new ErrorView(message, places), List.of());
    }

    StatusCode status() {
        return status;
    }

    ErrorView error() {
        return error;
    }

    List<HttpHeader> headers() {
        return headers;
    }
}
