// A drop target for files on a figure.
import type { ReactiveController } from 'lit';
import type { DropHost } from '../contract/file-input.ts';

export class DropTarget implements ReactiveController {
  /**
   * @param isOpen whether files are accepted now
   * @param dropped receives the dropped data, during the event
   */
  constructor(
    private readonly host: DropHost,
    private readonly isOpen: () => boolean,
    private readonly dropped: (transfer: DataTransfer) => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.host.addEventListener('dragover', this.over);
    this.host.addEventListener('dragleave', this.leave);
    this.host.addEventListener('drop', this.drop);
  }

  hostDisconnected(): void {
    this.host.removeEventListener('dragover', this.over);
    this.host.removeEventListener('dragleave', this.leave);
    this.host.removeEventListener('drop', this.drop);
  }

  /** Removes the target, before the element changes its kind. */
  end(): void {
    this.host.removeController(this);
    this.hostDisconnected();
  }

  /** The dragged data, if they are accepted files. */
  private filesOf({ dataTransfer }: DragEvent): DataTransfer | undefined {
    return dataTransfer?.types.includes('Files') && this.isOpen() ? dataTransfer : undefined;
  }

  private readonly over = (event: DragEvent): void => {
    const files = this.filesOf(event);
    if (!files) return;
    event.preventDefault();
    files.dropEffect = 'copy';
    this.host.dataset.over = '';
  };

  private readonly leave = (event: DragEvent): void => {
    if (!(event.relatedTarget instanceof Node) || !this.host.contains(event.relatedTarget)) delete this.host.dataset.over;
  };

  private readonly drop = (event: DragEvent): void => {
    delete this.host.dataset.over;
    const files = this.filesOf(event);
    if (!files) return;
    event.preventDefault();
    this.dropped(files);
  };
}
