import type { ReactiveController } from 'lit';
import type { DropHost } from '../contract/file-input.ts';

export class DropTarget implements ReactiveController {
  /** @param onDropped called during the drop event */
  constructor(
    private readonly host: DropHost,
    private readonly acceptsFiles: () => boolean,
    private readonly onDropped: (transfer: DataTransfer) => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.host.addEventListener('dragover', this.onDragOver);
    this.host.addEventListener('dragleave', this.onDragLeave);
    this.host.addEventListener('drop', this.onDrop);
  }

  hostDisconnected(): void {
    this.host.removeEventListener('dragover', this.onDragOver);
    this.host.removeEventListener('dragleave', this.onDragLeave);
    this.host.removeEventListener('drop', this.onDrop);
  }

  /** Called before the element switches to another kind of figure. */
  end(): void {
    this.host.removeController(this);
    this.hostDisconnected();
  }

  private getAcceptedData({ dataTransfer }: DragEvent): DataTransfer | undefined {
    return dataTransfer?.types.includes('Files') && this.acceptsFiles() ? dataTransfer : undefined;
  }

  private readonly onDragOver = (event: DragEvent): void => {
    const files = this.getAcceptedData(event);
    if (!files) return;
    event.preventDefault();
    files.dropEffect = 'copy';
    this.host.dataset.over = '';
  };

  private readonly onDragLeave = (event: DragEvent): void => {
    if (!(event.relatedTarget instanceof Node) || !this.host.contains(event.relatedTarget)) delete this.host.dataset.over;
  };

  private readonly onDrop = (event: DragEvent): void => {
    delete this.host.dataset.over;
    const files = this.getAcceptedData(event);
    if (!files) return;
    event.preventDefault();
    this.onDropped(files);
  };
}
